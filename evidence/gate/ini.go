package gate

import (
	"strings"

	"gopkg.in/ini.v1"
)

// readINI reads a file of sections as Python's configparser does, values over several lines among them; nil where that
// cannot be read. A value of several lines is a list as well.
func readINI(f *source) *value {
	file, err := ini.LoadSources(ini.LoadOptions{AllowPythonMultilineValues: true, SkipUnrecognizableLines: true,
		SpaceBeforeInlineComment: true, IgnoreContinuation: true, PreserveSurroundedQuote: true}, f.src)
	if err != nil {
		return nil
	}
	root := &value{line: 1}
	for _, section := range file.Sections() {
		first := 0 // a line before the section's
		if section.Name() != ini.DefaultSection {
			first = f.lineBehind(0, func(l string) bool { return strings.HasPrefix(l, "["+section.Name()+"]") })
		}
		table := &value{line: first, end: first}
		for _, key := range section.Keys() {
			line := f.lineBehind(first, func(l string) bool {
				rest, ok := strings.CutPrefix(l, key.Name())
				rest = strings.TrimSpace(rest)
				return ok && rest != "" && (rest[0] == '=' || rest[0] == ':')
			})
			v := &value{text: key.Value(), line: line, end: line}
			for at, text := range strings.Split(key.Value(), "\n") {
				if text, _, _ = strings.Cut(strings.TrimSpace(text), " #"); text != "" && !strings.HasPrefix(text, "#") {
					v.items = append(v.items, &value{text: text, line: line + at, end: line + at})
				}
				v.end = line + at
			}
			if len(v.items) < 2 {
				v.items = nil
			}
			table.fields, table.end = append(table.fields, field{key.Name(), line, v}), v.end
		}
		root.fields = append(root.fields, field{section.Name(), first, table})
	}
	return root
}

// lineBehind is the first line behind another that is as asked for, that line where none is. Lines count from 1.
func (l lines) lineBehind(line int, is func(string) bool) int {
	for i := line; i < len(l); i++ {
		if is(strings.TrimSpace(l[i])) {
			return i + 1
		}
	}
	return line
}
