package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

// Limits of the code on pages.
const (
	contextLines = 6       // lines before and after a citation
	maxLines     = 400     // lines of one place
	maxBytes     = 1 << 20 // of a file
	maxWide      = 1000    // characters of one line
)

type excerpt struct {
	Path, Commit string
	Start, End   int
	Lines        []codeLine
	// State is the claim's present state, if this is its present place; else "".
	State string
	// IsTruncated: the place has more lines than are shown.
	IsTruncated bool
	// Missing says why there are no lines.
	Missing string
}

// Place is «path:3-9».
func (e excerpt) Place() string {
	return parser.Evidence{Path: e.Path, Start: e.Start, End: e.End}.Place()
}

type codeLine struct {
	Number  int
	IsCited bool
	Text    string
}

func readExcerpt(ctx context.Context, git *repo.Repo, commit, path string, start, end int) (excerpt, error) {
	e := excerpt{Path: path, Commit: commit, Start: start, End: end}
	data, missing, err := readBlob(ctx, git, commit, path)
	if e.Missing = missing; err == nil && missing == "" {
		e.addLines(data)
	}
	return e, err
}

func readBlob(ctx context.Context, git *repo.Repo, commit, path string) (data []byte, missing string, err error) {
	c, err := git.Commit(ctx, commit)
	if err != nil {
		return nil, "", err
	}
	tree := git.Snapshot(c.Tree)
	entry, err := tree.Entry(ctx, path)
	if errors.Is(err, repo.ErrNotFound) {
		return nil, "the file is not there", nil
	} else if err != nil {
		return nil, "", err
	}
	size, err := tree.Size(ctx, entry.ID)
	switch {
	case err != nil:
		return nil, "it is no file", nil // folders and submodules have no size
	case size > maxBytes:
		return nil, fmt.Sprintf("the file is too large to be shown: %d bytes", size), nil
	}
	data, err = tree.Blob(ctx, entry.ID)
	if err == nil && bytes.IndexByte(data[:min(len(data), 8000)], 0) >= 0 {
		return nil, "the file is binary", nil
	}
	return data, "", err
}

func (e *excerpt) addLines(data []byte) {
	text := strings.ReplaceAll(strings.ToValidUTF8(string(data), string(utf8.RuneError)), "\r\n", "\n")
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	first, last := max(1, e.Start-contextLines), min(len(lines), max(e.End, 1)+contextLines)
	if e.Start > len(lines) {
		e.Missing = fmt.Sprintf("the file has %d lines", len(lines))
		return
	}
	if last-first+1 > maxLines {
		last, e.IsTruncated = first+maxLines-1, true
	}
	for n := first; n <= last; n++ {
		e.Lines = append(e.Lines, codeLine{Number: n, IsCited: e.Start > 0 && n >= e.Start && n <= e.End,
			Text: visible(lines[n-1])})
	}
}

// visible makes characters visible that invisibly change the reading of a line: those that control direction or have no
// width. It truncates very long lines.
func visible(line string) string {
	if characters := []rune(line); len(characters) > maxWide {
		line = string(characters[:maxWide]) + " …"
	}
	var b strings.Builder
	for _, r := range line {
		switch {
		case r < ' ' && r != '\t':
			b.WriteRune('\u2400' + r) // pictures of control characters
		case r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2060 && r <= 0x2069 || r == 0xfeff:
			fmt.Fprintf(&b, "⟨U+%04X⟩", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// withDirections makes characters visible that turn the direction of text in a page, since names and items could read
// as others. Joiners that letters need stay, and so do attributes, which forms send back. It relies on html/template,
// which writes bare < and > only for tags.
func withDirections(page []byte) []byte {
	var out []byte
	tag, done := false, 0
	for i, r := range string(page) {
		switch {
		case r == '<':
			tag = true
		case r == '>':
			tag = false
		case !tag && (r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069):
			out = fmt.Appendf(append(out, page[done:i]...), "⟨U+%04X⟩", r)
			done = i + utf8.RuneLen(r)
		}
	}
	return append(out, page[done:]...)
}

type claimPage struct {
	view
	claimCode
	Item, CommitURL, Actor, When, Reason string
	HasMoved                             bool
}

func (s *Server) getClaim(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	page := claimPage{view: s.newView(r, q.Get("item")), claimCode: claimCode{Unit: q.Get("unit")}, Item: q.Get("item")}
	s.showPage(w, r, q.Get("commit"), "claim", &page)
}

func (p *claimPage) fill(ctx context.Context, s *Server, git *repo.Repo, one *Repository, c repo.Commit) error {
	all, err := s.verdicts(ctx, git, one, string(c.ID))
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all, func(v report.ClaimVerdict) bool {
		return v.Unit == p.Unit && plan.ItemText(v.Item) == plan.ItemText(p.Item)
	})
	if i < 0 {
		return refusalf(http.StatusNotFound, "", "%s claims no such item", shortID(string(c.ID)))
	}
	v := &all[i]
	claims, err := one.readClaims(ctx)
	if err != nil {
		return err
	}
	b := s.builderOf(one, claims)
	p.Item, p.CommitURL = v.Item, b.links.commit(one, string(c.ID))
	p.Actor, p.When = c.Author.Name, c.Author.When.UTC().Format("2006-01-02 15:04 UTC")
	now := b.claims[claimKey{one, string(c.ID), p.Unit, plan.ItemText(p.Item)}]
	if now != nil {
		p.Reason, p.HasMoved = now.Reason, now.Line > 0 && now.State != evidence.StateHolds
	}
	p.claimCode, err = b.code(ctx, git, c, v, now)
	return err
}

// code is a claim with the code that it cites and, if now says where that is, its present place.
func (b *builder) code(
	ctx context.Context, git *repo.Repo, c repo.Commit, v *report.ClaimVerdict, now *judge.Claim,
) (one claimCode, err error) {
	r := b.repos[0]
	one = claimCode{Unit: v.Unit, Short: shortID(string(c.ID)), Line: b.line(r.Repository, string(c.ID), *v)}
	if one.CitedCode, err = citedExcerpts(ctx, git, c, v); err != nil || now == nil || now.Line == 0 {
		return one, err
	}
	e, err := readExcerpt(ctx, git, endOf(r.claims.Range), now.Path, now.Line, now.EndLine)
	e.State = now.State.String()
	one.CurrentCode = &e
	return one, err
}

const maxPlaces = 20

// citedExcerpts reads the places that a claim cites; a run cites none. Removed code is read from the commit's parent.
func citedExcerpts(ctx context.Context, git *repo.Repo, c repo.Commit, v *report.ClaimVerdict) ([]excerpt, error) {
	if v.Status == rules.StatusRan {
		return []excerpt{{Path: v.Evidence, Missing: "It is checked against the recorded runs."}}, nil
	}
	var all []excerpt
	for _, e := range parser.ParseEvidence(v.Evidence, report.Pos{}) {
		if e.Err != "" {
			all = append(all, excerpt{Path: e.Text.Value, Missing: e.Err})
			continue
		}
		at := string(c.ID)
		if e.IsRemoved && len(c.Parents) > 0 {
			at = string(c.Parents[0])
		}
		one, err := readExcerpt(ctx, git, at, e.Path, e.Start, e.End)
		if err != nil {
			return nil, err
		}
		if all = append(all, one); len(all) == maxPlaces {
			break
		}
	}
	return all, nil
}
