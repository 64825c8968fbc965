package judge

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/acta-git/acta/check"
	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/policy"
)

// Example judges a rule's example, as a hook would judge that commit.
func Example(ctx context.Context, r *check.Rule, release string) (*Result, error) {
	e := r.Example
	before := maps.Clone(e.Base)
	if before == nil {
		before = map[string]string{}
	}
	if e.Policy != "" {
		before[policy.Path] = e.Policy
	}
	if e.Plan != nil {
		before[policy.Default().Plan] = planFile(e.Plan)
	}
	after := maps.Clone(before)
	maps.Copy(after, e.Files)
	base := memory(before)
	p, err := readPolicy(ctx, &base, release)
	if err != nil {
		return nil, err
	}
	sub := &subject{
		message: parser.Parse([]byte(e.Message)), tree: memory(after), base: &base, policy: p,
		names: []string{"executor-01"}, cache: evidence.NewCache(),
		changed: func(context.Context, bool) ([]string, int, error) { return slices.Sorted(maps.Keys(e.Files)), 1, nil },
	}
	out, err := sub.judge(ctx)
	if err != nil {
		return nil, err
	}
	result := &Result{Report: diag.Report{Acta: release, Range: "staged", Commits: 1, Acts: out.acts, Adapts: out.adapts}}
	result.Add(out.findings, out.verdicts)
	return result, nil
}

func planFile(items []check.Item) string {
	unit := &plan.Unit{ID: "T01", Type: "atomic", Status: "pending"}
	for _, i := range items {
		unit.Checklist = append(unit.Checklist, plan.Item{Text: i.Text, Kind: string(i.Kind)})
	}
	data, err := json.Marshal(plan.Unit{ID: "ROOT", Type: "parent", Children: []*plan.Unit{unit}})
	if err != nil {
		panic(err) // strings always marshal
	}
	return string(data)
}

// memory is a tree of the given files.
func memory(files map[string]string) evidence.Tree {
	return evidence.Tree{
		Stat: func(_ context.Context, path string) (evidence.Entry, error) {
			e := evidence.Entry{Path: path}
			if text, ok := files[path]; ok {
				sum := sha256.Sum256([]byte(text))
				e.Kind, e.ID, e.Mode = evidence.File, hex.EncodeToString(sum[:]), "100644"
			} else if slices.ContainsFunc(slices.Collect(maps.Keys(files)), func(f string) bool { return strings.HasPrefix(f, path+"/") }) {
				e.Kind, e.Mode = evidence.Folder, "040000"
			}
			return e, nil
		},
		Size:  func(_ context.Context, e evidence.Entry) (int64, error) { return int64(len(files[e.Path])), nil },
		Read:  func(_ context.Context, e evidence.Entry) ([]byte, error) { return []byte(files[e.Path]), nil },
		Paths: func(context.Context) ([]string, error) { return slices.Sorted(maps.Keys(files)), nil },
	}
}

// WriteRules prints the documentation of all rules as one Markdown page.
func WriteRules(ctx context.Context, w io.Writer, rules []*check.Rule, release string) error {
	fmt.Fprint(w, "# Rules\n\nPrinted by `acta explain --format markdown`. Every output below is what the tool says of the example above it.\n")
	fmt.Fprint(w, "\n| rule | reports | STRICT | STANDARD | LIGHT | EXEMPT |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, r := range rules {
		s := r.Severity
		fmt.Fprintf(w, "| [`%s`](#%s) | %s | %s | %s | %s | %s |\n", r.ID, r.ID, r.Title, word(s.Strict), word(s.Standard), word(s.Light), word(s.Exempt))
	}
	for _, r := range rules {
		fmt.Fprintln(w)
		if err := WriteRule(ctx, w, r, release); err != nil {
			return err
		}
	}
	return nil
}

func word(s diag.Severity) string {
	if s == 0 {
		return "off"
	}
	return s.String()
}

// WriteRule prints a rule's page in Markdown: what it reports, an example, and what the tool says of it.
func WriteRule(ctx context.Context, w io.Writer, r *check.Rule, release string) error {
	result, err := Example(ctx, r, release)
	if err != nil {
		return fmt.Errorf("the example of %s: %w", r.ID, err)
	}
	s := r.Severity
	fmt.Fprintf(w, "## %s\n\n%s.\n\n%s\n\n", r.ID, upperFirst(r.Title), r.Doc)
	fmt.Fprintf(w, "Since %s. STRICT: %s, STANDARD: %s, LIGHT: %s, EXEMPT: %s.\n", r.Since, word(s.Strict), word(s.Standard), word(s.Light), word(s.Exempt))
	e := r.Example
	if e.Policy != "" {
		fence(w, "The policy, `.acta.yaml`:", e.Policy)
	}
	if e.Plan != nil {
		var items strings.Builder
		for _, i := range e.Plan {
			fmt.Fprintf(&items, "%s\n", i.Text)
		}
		fence(w, "The registered checklist of T01:", items.String())
	}
	for _, path := range slices.Sorted(maps.Keys(e.Base)) {
		fence(w, "Before the commit, `"+path+"`:", e.Base[path])
	}
	for _, path := range slices.Sorted(maps.Keys(e.Files)) {
		fence(w, "In the commit, `"+path+"`:", e.Files[path])
	}
	fence(w, "The message:", e.Message)
	var text strings.Builder
	if err := diag.WriteText(&text, &result.Report); err != nil {
		return err
	}
	fence(w, "What acta says:", text.String())
	return nil
}

func fence(w io.Writer, title, text string) {
	fmt.Fprintf(w, "\n%s\n\n```\n%s```\n", title, text)
}

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
