package serve

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/ledger"
	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

type reportHead struct {
	Repo, Range, Release string
	// Policy lets the page run its own script, and load nothing.
	Policy  string
	Style   template.CSS
	Script  template.JS
	Summary string
	// Tests sums up the changes of tests and gates; "" for none.
	Tests     string
	Findings  []findingLine
	Codes     []claimCode
	MoreCodes int
}

type findingLine struct {
	report.Finding
	Place, Short, CommitURL string
	// TestChange is the finding's change of tests or gates, with both sides; nil for other findings.
	TestChange *report.TestChange
}

type claimCode struct {
	ID, Unit, Short string
	Line            claimLine
	CitedCode       []excerpt
	CurrentCode     *excerpt
}

const maxCodes = 300

// WriteReport writes the page of a range as one self-contained file. It contains only what git contains, so equal
// commits give equal bytes. The score is that of the last commit's day. Undecided results are an error (exit code 3);
// findings are not. state is an empty folder, in place of this machine's state.
func WriteReport(ctx context.Context, w io.Writer, r *Repository, span judge.LandedRange, state string) error {
	var v *view
	err := r.withRepo(ctx, func(git *repo.Repo) (err error) {
		v, err = reportView(ctx, git, r, span, state)
		return err
	})
	if err != nil {
		return err
	}
	v.Report.embed()
	var b bytes.Buffer
	if err := templates().ExecuteTemplate(&b, "page", v); err != nil {
		return err
	}
	_, err = w.Write(withDirections(b.Bytes()))
	return err
}

func reportView(
	ctx context.Context, git *repo.Repo, r *Repository, span judge.LandedRange, state string,
) (*view, error) {
	head, err := git.Commit(ctx, span.Head)
	if err != nil {
		return nil, err
	}
	result, err := judge.Range(ctx, git, span.Base, string(head.ID))
	if err != nil {
		return nil, err
	}
	if len(result.Undecided) > 0 {
		return nil, errors.New(strings.Join(result.Undecided, "\n"))
	}
	g, err := gatherRange(ctx, git, r, span.Base, head)
	if err != nil {
		return nil, err
	}
	v := &view{Title: "Acta · " + r.Name, Repos: []string{r.Name}, Report: &reportHead{
		Repo: r.Name, Range: result.Range, Release: report.Release, Summary: result.Summary(),
	}}
	if !result.Tests.IsEmpty() {
		v.Report.Tests = result.Tests.Summary()
	}
	scores := &Scores{Time: head.Committer.When}
	board, err := scores.read(ctx, &ledger.Repositories{Dirs: []string{r.dir}, Env: r.env, State: state}, string(head.ID))
	if err != nil {
		return nil, err
	}
	v.addScores(board)
	codes, cited := v.Report.claimIDs(r, result.Verdicts)
	b := &builder{repos: []repositoryData{g}, now: head.Committer.When, links: reportLinks{g, codes}}
	v.Notes = append(v.Notes, slices.Concat(g.record.warnings, g.claims.Warnings, result.Warnings)...)
	b.fill(v, 0)
	for _, f := range result.Findings {
		line := b.finding(r, f)
		line.TestChange = result.Tests.ChangeOf(f)
		v.Report.Findings = append(v.Report.Findings, line)
	}
	return v, b.codes(ctx, git, v.Report, cited)
}

type reportLinks struct {
	repositoryData
	codes map[claimKey]string
}

func (w reportLinks) commit(_ *Repository, commit string) string {
	isOf := func(op worklog.Operation) bool { return op.Details.Commit == commit }
	if !slices.ContainsFunc(w.record.sessions, func(s worklog.ListedSession) bool {
		return slices.ContainsFunc(s.Entries, isOf)
	}) {
		return ""
	}
	return "#e-" + shortID(commit)
}

func (w reportLinks) claim(r *Repository, commit, unit, item string) string {
	if id := w.codes[claimKey{r, commit, unit, plan.ItemText(item)}]; id != "" {
		return "#" + id
	}
	return ""
}

// claimIDs name the claims that are shown with code, which are returned in order, and counts the others.
func (h *reportHead) claimIDs(r *Repository, verdicts []report.ClaimVerdict) (
	ids map[claimKey]string, cited []report.ClaimVerdict,
) {
	ids = map[claimKey]string{}
	for _, v := range verdicts {
		key := claimKey{r, v.Commit, v.Unit, plan.ItemText(v.Item)}
		switch {
		case v.Evidence == "" || ids[key] != "":
		case len(cited) == maxCodes:
			h.MoreCodes++
		default:
			cited = append(cited, v)
			ids[key] = claimID(len(cited))
		}
	}
	return ids, cited
}

func claimID(number int) string { return fmt.Sprintf("claim-%d", number) }

// gatherRange reads the work of a range's commits, from git alone.
func gatherRange(
	ctx context.Context, git *repo.Repo, r *Repository, base string, head repo.Commit,
) (g repositoryData, err error) {
	ids, err := git.Range(ctx, base, string(head.ID))
	if err != nil {
		return g, err
	}
	within := map[string]bool{}
	for _, id := range ids {
		within[string(id)] = true
	}
	rec := &record{verdicts: map[string][]report.ClaimVerdict{}}
	h, err := judge.NewHistory(git, nil).Record(ctx, string(head.ID))
	if err != nil {
		return g, err
	}
	rec.warnings = h.Warnings
	sessions := map[string]*worklog.Session{} // by Session trailer
	for _, d := range h.Parts {
		id := string(d.Commit.ID)
		// The plan shows the last claim of an item wherever it was made; the time line only the range.
		rec.verdicts[id] = append(rec.verdicts[id], d.Verdicts...)
		if within[id] {
			name := d.Part.Session.Value
			if sessions[name] == nil {
				sessions[name] = &worklog.Session{ID: name}
			}
			sessions[name].Entries = append(sessions[name].Entries, worklog.OperationOf(d))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(sessions)) {
		rec.sessions = append(rec.sessions, worklog.ListedSession{Session: sessions[name], State: worklog.FromHistory})
	}
	p := &planState{}
	if p.path, p.root, err = snapshot.At(git, string(head.ID)).Plan(ctx); err != nil {
		return g, err
	}
	claims, err := judge.NewHistory(git, nil).Claims(ctx, base, string(head.ID))
	return repositoryData{r, rec, p, claims}, err
}

func (b *builder) finding(r *Repository, f report.Finding) findingLine {
	l := findingLine{Finding: f}
	if f.Commit != "" {
		l.Short, l.CommitURL = shortID(f.Commit), b.links.commit(r, f.Commit)
	}
	if f.Path != "" {
		l.Place = excerpt{Path: f.Path, Start: f.Line, End: max(f.EndLine, f.Line)}.Place()
	}
	return l
}

func (b *builder) codes(ctx context.Context, git *repo.Repo, head *reportHead, cited []report.ClaimVerdict) error {
	for i, v := range cited {
		c, err := git.Commit(ctx, v.Commit)
		if err != nil {
			return err
		}
		now := b.claims[claimKey{b.repos[0].Repository, v.Commit, v.Unit, plan.ItemText(v.Item)}]
		if now != nil && now.State == evidence.StateHolds {
			now = nil // it is the cited code
		}
		one, err := b.code(ctx, git, c, &v, now)
		if err != nil {
			return err
		}
		one.ID = claimID(i + 1)
		head.Codes = append(head.Codes, one)
	}
	return nil
}

func endOf(span string) string {
	if _, head, found := strings.Cut(span, ".."); found {
		return head
	}
	return span
}

// embed adds style and script to the page, and a policy that allows only these.
func (h *reportHead) embed() {
	var style, script bytes.Buffer
	for _, part := range []struct {
		into *bytes.Buffer
		name string
	}{{&style, "uPlot.min.css"}, {&style, "style.css"}, {&script, "theme.js"}, {&script, "uPlot.iife.min.js"},
		{&script, "page.js"}} {
		data, _ := assetFiles.ReadFile("assets/" + part.name) // part of the program
		part.into.Write(bytes.TrimSpace(withoutSchemes(data)))
		part.into.WriteString("\n")
	}
	h.Style, h.Script = template.CSS(style.String()), template.JS(script.String())
	hash := func(b []byte) string {
		sum := sha256.Sum256(b)
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	h.Policy = fmt.Sprintf("default-src 'none'; style-src %s; script-src %s; base-uri 'none'; form-action 'none'",
		hash(style.Bytes()), hash(script.Bytes()))
}

// withoutSchemes removes the scheme from addresses in a library's first comment: the licence stays, and a file without
// network needs names no address.
func withoutSchemes(source []byte) []byte {
	end := bytes.Index(source, []byte("*/"))
	if !bytes.HasPrefix(source, []byte("/*!")) || end < 0 {
		return source
	}
	comment := bytes.ReplaceAll(source[:end], []byte("https://"), nil)
	return append(comment, source[end:]...)
}

func (h *reportHead) Span() string {
	base, _, found := strings.Cut(h.Range, "..")
	if !found || base == "" {
		return "everything up to " + shortID(endOf(h.Range))
	}
	return shortID(base) + ".." + shortID(endOf(h.Range))
}
