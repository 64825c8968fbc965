package rules

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/report/results"
)

// addCoverage adds a coverage report. `go test -coverpkg` omits the lines of a package with a failed test.
func (r *Results) addCoverage(c *results.Coverage) {
	hasFailed := r.set.Counts().Failed > 0
	var written []string
	for i := range c.Files {
		written = append(written, c.Files[i].Path)
	}
	at := r.paths.Map(written, c.Roots)
	writtenAs := map[string]string{}
	for i := range c.Files {
		w := c.Files[i].Path
		if p := at[w]; p != "" {
			// Two paths of one file come from two roots, and it is unknown which of them the tree is.
			r.partialFiles[p] = r.partialFiles[p] || c.Format == "go" && hasFailed || writtenAs[p] != "" && writtenAs[p] != w
			r.coverage[p], writtenAs[p] = append(r.coverage[p], &c.Files[i]), w
		}
	}
}

// countExecuted counts the lines of a place that were executed. The header of a definition is left out: in many
// languages it is executed when the file is loaded.
func (r *Results) countExecuted(q *inquiry, h *checkedPlace) {
	reports := r.coverage[h.path]
	if len(reports) == 0 {
		return
	}
	headers, isRan := r.headersOf(q, h.path), map[int]bool{}
	for _, c := range reports {
		for _, l := range c.Within(h.first, h.last) {
			isRan[int(l.Number)] = isRan[int(l.Number)] || l.IsExecuted
		}
	}
	outline := q.outline(r.tree, h.path)
	h.isPartial = r.partialFiles[h.path] || outline != nil && isTypeCheckingOnly(string(outline.Source), h.first)
	for n, executed := range isRan {
		if headers[n] {
			continue
		}
		if h.lines++; executed {
			h.ranLines++
		}
	}
}

// isTypeCheckingOnly reports whether a line of Python is under `if TYPE_CHECKING:`, which never runs.
func isTypeCheckingOnly(source string, line int) bool {
	if !strings.Contains(source, "TYPE_CHECKING") {
		return false
	}
	lines := strings.Split(source, "\n")
	indent := func(s string) int { return len(s) - len(strings.TrimLeft(s, " \t")) }
	if line > len(lines) {
		return false
	}
	current := indent(lines[line-1])
	for _, above := range slices.Backward(lines[:line-1]) {
		trimmed := strings.TrimSpace(above)
		if trimmed == "" || indent(above) >= current {
			continue
		}
		current = indent(above)
		if strings.HasPrefix(trimmed, "if ") && strings.Contains(trimmed, "TYPE_CHECKING:") &&
			!strings.Contains(trimmed, "not ") {
			return true
		}
	}
	return false
}

// headersOf are the lines of a file that belong to a definition, before its body.
func (r *Results) headersOf(q *inquiry, path string) map[int]bool {
	if lines := r.headers[path]; lines != nil {
		return lines
	}
	lines := map[int]bool{}
	r.headers[path] = lines
	o := q.outline(r.tree, path)
	if o == nil {
		return lines
	}
	at := func(offset int) int { return 1 + bytes.Count(o.Source[:min(offset, len(o.Source))], []byte{'\n'}) }
	for _, d := range o.Definitions {
		if d.IsTitled || d.Body < 0 {
			continue
		}
		inside := bytes.TrimPrefix(bytes.TrimLeft(o.Source[d.Body:d.End], " \t\r\n"), []byte("{"))
		body := at(d.End - len(bytes.TrimLeft(inside, " \t\r\n")))
		for n := at(d.Outer); n < body; n++ {
			lines[n] = true
		}
	}
	return lines
}

func (q *inquiry) outline(t *evidence.Tree, path string) *evidence.Outline {
	return answer(q, func(ctx context.Context) (*evidence.Outline, error) { return t.Outline(ctx, path) })
}

// IsReached reports whether coverage says that lines of a file were executed, or may have been.
func (r *Results) IsReached(ctx context.Context, path string, first, last int) (bool, error) {
	h, q := checkedPlace{path: path, first: first, last: last}, newInquiry(ctx)
	r.countExecuted(q, &h)
	return h.lines == 0 || h.ranLines > 0 || h.isPartial, q.Err
}
