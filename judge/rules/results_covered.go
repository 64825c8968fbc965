package rules

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/acta-git/acta/report/results"
)

// cover adds a report of coverage. `go test -coverpkg` leaves out what a package ran one of whose tests failed.
func (r *Results) cover(c *results.Coverage) {
	failed := r.set.Counts().Failed > 0
	var written []string
	for i := range c.Files {
		written = append(written, c.Files[i].Path)
	}
	at := r.paths.Map(written, c.Roots)
	of := map[string]string{}
	for i := range c.Files {
		w := c.Files[i].Path
		if p := at[w]; p != "" {
			// Two paths that may be one file are of two roots, and nobody can tell of which the tree is.
			r.partial[p] = r.partial[p] || c.Format == "go" && failed || of[p] != "" && of[p] != w
			r.covered[p], of[p] = append(r.covered[p], &c.Files[i]), w
		}
	}
}

// executed counts the lines of a place that were executed. The header of a definition is left out: in many languages
// it is executed when the file is loaded.
func (r *Results) executed(ctx context.Context, h *heldPlace) error {
	reports := r.covered[h.path]
	if len(reports) == 0 {
		return nil
	}
	headers, err := r.headersOf(ctx, h.path)
	if err != nil {
		return err
	}
	ran := map[int]bool{}
	for _, c := range reports {
		for _, l := range c.Within(h.first, h.last) {
			ran[int(l.Number)] = ran[int(l.Number)] || l.Ran
		}
	}
	outline, err := r.tree.Outline(ctx, h.path)
	if err != nil {
		return err
	}
	h.partial = r.partial[h.path] || outline != nil && forTypesAlone(string(outline.Source), h.first)
	for n, executed := range ran {
		if headers[n] {
			continue
		}
		if h.lines++; executed {
			h.ran++
		}
	}
	return nil
}

// forTypesAlone reports whether a line of Python stands under `if TYPE_CHECKING:`, which no run comes by.
func forTypesAlone(source string, line int) bool {
	if !strings.Contains(source, "TYPE_CHECKING") {
		return false
	}
	lines := strings.Split(source, "\n")
	indent := func(s string) int { return len(s) - len(strings.TrimLeft(s, " \t")) }
	if line > len(lines) {
		return false
	}
	least := indent(lines[line-1])
	for _, above := range slices.Backward(lines[:line-1]) {
		bare := strings.TrimSpace(above)
		if bare == "" || indent(above) >= least {
			continue
		}
		least = indent(above)
		if strings.HasPrefix(bare, "if ") && strings.Contains(bare, "TYPE_CHECKING:") && !strings.Contains(bare, "not ") {
			return true
		}
	}
	return false
}

// headersOf are the lines of a file that belong to a definition and stand before its body.
func (r *Results) headersOf(ctx context.Context, path string) (map[int]bool, error) {
	if known := r.headers[path]; known != nil {
		return known, nil
	}
	lines := map[int]bool{}
	r.headers[path] = lines
	o, err := r.tree.Outline(ctx, path)
	if o == nil || err != nil {
		return lines, err
	}
	at := func(offset int) int { return 1 + bytes.Count(o.Source[:min(offset, len(o.Source))], []byte{'\n'}) }
	for _, d := range o.Definitions {
		if d.Titled || d.Body < 0 {
			continue
		}
		inside := bytes.TrimPrefix(bytes.TrimLeft(o.Source[d.Body:d.End], " \t\r\n"), []byte("{"))
		body := at(d.End - len(bytes.TrimLeft(inside, " \t\r\n")))
		for n := at(d.Outer); n < body; n++ {
			lines[n] = true
		}
	}
	return lines, nil
}

// Reached reports whether coverage says that lines of a file were executed, or may have been.
func (r *Results) Reached(ctx context.Context, path string, first, last int) (bool, error) {
	h := heldPlace{path: path, first: first, last: last}
	err := r.executed(ctx, &h)
	return h.lines == 0 || h.ran > 0 || h.partial, err
}
