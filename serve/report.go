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

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/ledger"
	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

// ReportRange is what a report is of.
type ReportRange struct {
	// Base and Head are revisions: the commits that Head reaches and Base does not. Base may be "".
	Base, Head string
}

// reportHead is what a page that stands for itself has besides.
type reportHead struct {
	Repo, Range, Release string
	// Policy lets the page run what is in it, and load nothing.
	Policy  string
	Style   template.CSS
	Script  template.JS
	Counts  report.Counts
	Commits int
	Summary string
	// Tests sums up what became of tests and gates; "" where nothing did.
	Tests    string
	Findings []findingLine
	Codes    []claimCode
	// Left is how many claims are not shown on their code.
	Left int
}

// findingLine is a finding of the range.
type findingLine struct {
	Rule, Severity, Message, Place, Unit, Item, Short, CommitURL string
	// Less is what the finding tells of tests and gates, with both sides; nil where it tells of something else.
	Less *report.TestChange
}

// claimCode is a claim of the range on its code.
type claimCode struct {
	ID, Unit, Short string
	Line            claimLine
	Then            []excerpt
	Now             *excerpt
}

// maxCodes is how many claims a report shows on their code.
const maxCodes = 300

// WriteReport writes the page of a range as one file that needs no other. It holds
// what git holds and nothing that only this machine knows: of equal commits it is
// equal, byte for byte. The score is that of the day of the last commit. Exit code 3
// is asked for by an error; findings are shown, and no error. state is an empty folder, in the
// place of the state of this machine.
func WriteReport(ctx context.Context, w io.Writer, r *Repository, span ReportRange, state string) error {
	pages, err := parseTemplates()
	if err != nil {
		return err
	}
	var v *view
	err = r.with(ctx, func(git *repo.Repo) error {
		v, err = reportView(ctx, git, r, span, state)
		return err
	})
	if err != nil {
		return err
	}
	if err := v.Report.embed(); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := pages.ExecuteTemplate(&b, "page", v); err != nil {
		return err
	}
	_, err = w.Write(withDirections(b.Bytes()))
	return err
}

func reportView(ctx context.Context, git *repo.Repo, r *Repository, span ReportRange, state string) (*view, error) {
	head, err := git.Commit(ctx, span.Head)
	if err != nil {
		return nil, err
	}
	result, err := judge.Range(ctx, git, span.Base, string(head.ID))
	if err != nil {
		return nil, err
	}
	if len(result.Undecided) > 0 {
		return nil, errors.Join(result.Undecided...)
	}
	g, err := gatherRange(ctx, git, r, span.Base, head)
	if err != nil {
		return nil, err
	}
	g.notes = append(g.notes, result.Warnings...)
	v := &view{Title: "Acta · " + r.Name, Repos: []string{r.Name}, Report: &reportHead{
		Repo: r.Name, Range: result.Range, Release: report.Release, Commits: result.Commits, Counts: result.Claims,
		Summary: result.Summary(),
	}}
	if !result.Tests.IsEmpty() {
		v.Report.Tests = result.Tests.Summary()
	}
	scores := &Scores{At: head.Committer.When}
	board, err := scores.read(ctx, &ledger.Repositories{Dirs: []string{r.dir}, Env: r.env, State: state}, string(head.ID))
	if err != nil {
		return nil, err
	}
	v.addScores(board)
	codes := codesOf(r, result.Verdicts)
	b := &builder{repos: []*Repository{r}, now: head.Committer.When,
		links: withinReport{g, codes}}
	b.fill(v, g, 0)
	for _, f := range result.Findings {
		line := b.finding(r, f)
		line.Less = result.Tests.ChangeOf(f)
		v.Report.Findings = append(v.Report.Findings, line)
	}
	return v, b.codes(ctx, git, r, v.Report, result.Verdicts, codes, g.claims[r])
}

// withinReport is where a report shows things: further down.
type withinReport struct {
	*gathered
	codes map[claimKey]string
}

func (w withinReport) commit(_ *Repository, commit string) string {
	if !w.told(commit) {
		return ""
	}
	return "#e-" + shortID(commit)
}

func (w withinReport) claim(r *Repository, commit, unit, item string) string {
	if id := w.codes[claimKey{r, commit, unit, plan.ItemText(item)}]; id != "" {
		return "#" + id
	}
	return ""
}

// told reports whether the time line tells of a commit.
func (g *gathered) told(commit string) bool {
	for _, rec := range g.records {
		for _, s := range rec.sessions {
			if slices.ContainsFunc(s.Entries, func(op worklog.Operation) bool { return op.Details.Commit == commit }) {
				return true
			}
		}
	}
	return false
}

// codesOf gives the claims that are shown on their code an id each.
func codesOf(r *Repository, verdicts []report.ClaimVerdict) map[claimKey]string {
	codes := map[claimKey]string{}
	for _, v := range verdicts {
		key := claimKey{r, v.Commit, v.Unit, plan.ItemText(v.Item)}
		if v.Evidence != "" && codes[key] == "" && len(codes) < maxCodes {
			codes[key] = fmt.Sprintf("claim-%d", len(codes)+1)
		}
	}
	return codes
}

// gatherRange reads what the commits of a range did, from git alone.
func gatherRange(ctx context.Context, git *repo.Repo, r *Repository, base string, head repo.Commit) (*gathered, error) {
	ids, err := git.Range(ctx, base, string(head.ID))
	if err != nil {
		return nil, err
	}
	within := map[string]bool{}
	for _, id := range ids {
		within[string(id)] = true
	}
	rec := &record{verdicts: map[string][]report.ClaimVerdict{}}
	h, err := judge.NewHistory(git, nil).Record(ctx, string(head.ID))
	if err != nil {
		return nil, err
	}
	rec.warnings = h.Warnings
	sessions := map[string]*worklog.Session{} // by their trailers
	for _, d := range h.Parts {
		id := string(d.Commit.ID)
		// The plan shows the last claim of an item wherever it was made; the time line what the range did.
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
	p := &planned{}
	if p.path, p.root, err = snapshot.At(git, string(head.ID)).Plan(ctx); err != nil {
		return nil, err
	}
	claims, err := judge.NewHistory(git, nil).Claims(ctx, base, string(head.ID))
	if err != nil {
		return nil, err
	}
	return &gathered{map[*Repository]*record{r: rec}, map[*Repository]*planned{r: p},
		map[*Repository]*judge.ClaimsReport{r: claims},
		append(h.Warnings, claims.Warnings...)}, nil
}

func (b *builder) finding(r *Repository, f report.Finding) findingLine {
	l := findingLine{Rule: f.Rule, Severity: f.Severity.String(), Message: f.Message, Unit: f.Unit, Item: f.Item}
	if f.Commit != "" {
		l.Short, l.CommitURL = shortID(f.Commit), b.links.commit(r, f.Commit)
	}
	if f.Path != "" {
		l.Place = excerpt{Path: f.Path, Start: f.Line, End: max(f.EndLine, f.Line)}.Place()
	}
	return l
}

// codes reads the code of the claims that have an id.
func (b *builder) codes(
	ctx context.Context, git *repo.Repo, r *Repository, head *reportHead, verdicts []report.ClaimVerdict,
	codes map[claimKey]string, now *judge.ClaimsReport,
) error {
	stands := map[claimKey]judge.Claim{}
	for _, c := range now.Claims {
		stands[claimKey{r, c.Commit, c.Unit, plan.ItemText(c.Item)}] = c
	}
	shown := map[string]bool{}
	for _, v := range verdicts {
		key := claimKey{r, v.Commit, v.Unit, plan.ItemText(v.Item)}
		id := codes[key]
		switch {
		case v.Evidence == "" || shown[id] && id != "":
			continue
		case id == "":
			head.Left++
			continue
		}
		shown[id] = true
		c, err := git.Commit(ctx, v.Commit)
		if err != nil {
			return err
		}
		one := claimCode{ID: id, Unit: v.Unit, Short: shortID(v.Commit), Line: b.line(r, v.Commit, v)}
		if one.Then, err = cited(ctx, git, c, &v); err != nil {
			return err
		}
		if s, ok := stands[key]; ok && s.Line > 0 && s.State.String() != "holds" {
			at, err := readExcerpt(ctx, git, endOf(now.Range), s.Path, s.Line, s.EndLine)
			if err != nil {
				return err
			}
			at.State = s.State.String()
			one.Now = &at
		}
		head.Codes = append(head.Codes, one)
	}
	return nil
}

// endOf is the last commit of a range as reports write it.
func endOf(span string) string {
	if _, head, found := strings.Cut(span, ".."); found {
		return head
	}
	return span
}

// embed puts style and script into the page, and lets it run just these.
func (h *reportHead) embed() error {
	var style, script bytes.Buffer
	for _, part := range []struct {
		into *bytes.Buffer
		name string
	}{{&style, "uPlot.min.css"}, {&style, "style.css"}, {&script, "theme.js"}, {&script, "uPlot.iife.min.js"},
		{&script, "page.js"}} {
		data, err := assetFiles.ReadFile("assets/" + part.name)
		if err != nil {
			return err
		}
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
	return nil
}

// withoutSchemes takes the scheme off the addresses in the comment that a library begins with: the licence stays, and a
// file that needs no network names no address in it.
func withoutSchemes(source []byte) []byte {
	end := bytes.Index(source, []byte("*/"))
	if !bytes.HasPrefix(source, []byte("/*!")) || end < 0 {
		return source
	}
	comment := bytes.ReplaceAll(source[:end], []byte("https://"), nil)
	return append(comment, source[end:]...)
}

// Span is the range for a reader.
func (h *reportHead) Span() string {
	base, _, found := strings.Cut(h.Range, "..")
	if !found || base == "" {
		return "everything up to " + shortID(endOf(h.Range))
	}
	return shortID(base) + ".." + shortID(endOf(h.Range))
}
