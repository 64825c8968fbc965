package main

import (
	"fmt"
	"io"
	"strings"
)

// printUnreferenced writes by language how many of the functions that honest commits add or change are said to be named
// nowhere else.
func (t *tables) printUnreferenced(w io.Writer) {
	whole := classes(wholeFunction)
	_, languages := t.count(whole, func(c judged) string { return c.language })
	fmt.Fprintf(w, "Over these, with their newest commits: %s.\n\n", strings.Join(t.corpora, ", "))
	fmt.Fprintf(w, "| language | honest functions | named nowhere else | share |\n| --- | --- | --- | --- |\n")
	functions, alone := 0, 0
	for _, language := range append(languages, "") {
		n, m := 0, 0
		for _, c := range t.claims {
			if whole(c) && c.language == language {
				n++
				if c.alone {
					m++
				}
			}
		}
		if functions, alone = functions+n, alone+m; language != "" {
			fmt.Fprintf(w, "| %s | %d | %d | %s |\n", language, n, m, percent(m, n))
		}
	}
	fmt.Fprintf(w, "| all | %d | %d | %s |\n", functions, alone, percent(alone, functions))
}
