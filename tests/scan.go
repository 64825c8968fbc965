package tests

// What stands in the headers of tests and in what they expect is looked for in each of them: a scan takes a tenth of
// the time of an expression.

// identifiers are the names in a text that have more than one letter.
func identifiers(text string) (found []string) {
	for i := 0; i < len(text); i++ {
		from := i
		for i < len(text) && isWordByte(text[i]) {
			i++
		}
		for from < i && text[from] >= '0' && text[from] <= '9' {
			from++
		}
		if i-from > 1 {
			found = append(found, text[from:i])
		}
	}
	return found
}

// numerals are the numbers in a text.
func numerals(text string) (found []string) {
	digits := func(at int) int {
		for at < len(text) && text[at] >= '0' && text[at] <= '9' {
			at++
		}
		return at
	}
	for i := 0; i < len(text); {
		end := digits(i)
		if end == i {
			i++
			continue
		}
		if end < len(text) && text[end] == '.' && digits(end+1) > end+1 {
			end = digits(end + 1)
		}
		if end < len(text) && text[end]|0x20 == 'e' {
			from := end + 1
			if from < len(text) && text[from] == '-' {
				from++
			}
			if digits(from) > from {
				end = digits(from)
			}
		}
		found, i = append(found, text[i:end]), end
	}
	return found
}

// quotations are what stands between quotes in a text, with them, none over several lines.
func quotations(text string) (found []string) {
	for i := 0; i < len(text); i++ {
		if text[i] != '"' && text[i] != '\'' {
			continue
		}
		for end := i + 1; end < len(text) && text[end] != '\n'; end++ {
			if text[end] == text[i] {
				found, i = append(found, text[i:end+1]), end
				break
			}
		}
	}
	return found
}
