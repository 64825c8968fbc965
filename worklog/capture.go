package worklog

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/policy"
	"github.com/acta-git/acta/repo"
)

const (
	// mostCommits bounds how many commits of a session are compared with its record.
	mostCommits = 500
	// searchDepth bounds how far behind HEAD they are looked for, in commits.
	searchDepth = 5000
)

// missed counts the operations that git shows and the record of a session lacks, where its tier wants them: the ACTs and
// ADAPTs of commits whose Session trailer names it, files that those commits change (ADAPTs aside) and that no edit
// names, and runs that an ACT cites and that are not recorded. What cannot be read counts as nothing.
func (o *observer) missed(ctx context.Context, s *Session, begun *Live) int {
	if tier, _ := policy.ParseTier(s.Tier); tier == policy.Exempt || o.head == "" {
		return 0
	}
	ids, _, err := o.repo.Matching(ctx, o.head, repo.Search{
		Patterns: []string{`^[[:space:]]*session[[:space:]]*:[[:space:]]*` + s.ID}, Most: mostCommits, Depth: searchDepth,
	})
	if err != nil || o.repo.PrefetchCommits(ctx, ids) != nil {
		return 0
	}
	m := &missing{observer: o, session: s, begun: begun, known: newRecorded(s, o.rewritten), files: map[string]bool{}}
	for _, id := range ids {
		if m.commit(ctx, id) != nil {
			return 0
		}
	}
	return m.count + len(m.files)
}

// recordedDeeds is what a session's record names.
type recordedDeeds struct {
	deeds map[string]bool // commit and unit
	files map[string]bool
	runs  map[string]bool
}

func newRecorded(s *Session, rewritten map[string]string) recordedDeeds {
	k := recordedDeeds{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	for i := range s.Entries {
		e := &s.Entries[i]
		switch e.Action {
		case ActDone, AdaptDone:
			at := e.Details.Commit
			k.deeds[at+" "+e.Details.Unit] = true
			k.deeds[cmp.Or(rewritten[at], at)+" "+e.Details.Unit] = true
		case Edit, Write:
			for _, f := range e.Details.Files {
				k.files[f] = true
			}
		case Bash:
			k.runs[folded(e.Command())] = true
		}
	}
	return k
}

func folded(command string) string { return strings.Join(strings.Fields(command), " ") }

// missing counts what a record lacks.
type missing struct {
	*observer
	session *Session
	begun   *Live
	known   recordedDeeds
	count   int
	files   map[string]bool
}

func (m *missing) commit(ctx context.Context, id repo.ID) error {
	c, err := m.repo.Commit(ctx, string(id))
	if err != nil {
		return err
	}
	message, err := m.repo.Reencoded(ctx, c)
	if err != nil {
		return err
	}
	edits := false
	for _, part := range parser.Parse(message).Parts {
		if part.Session.Value != m.session.ID {
			continue
		}
		edits = edits || part.Kind != parser.Adapt
		if part.Kind != parser.Act && part.Kind != parser.Adapt {
			continue
		}
		if !m.known.deeds[string(c.ID)+" "+part.Unit.Value] {
			m.count++
		}
		for _, run := range part.Ran {
			if command := folded(run.Command.Value); run.Err == "" && m.begun.Wants(Bash, command) && !m.known.runs[command] {
				m.count++
			}
		}
	}
	if !edits || !m.begun.Wants(Edit, "") {
		return nil
	}
	return m.edited(ctx, c)
}

// edited adds the files whose content a commit changes and that no edit names. Of a merge nobody knows who did it.
func (m *missing) edited(ctx context.Context, c repo.Commit) error {
	if len(c.Parents) > 1 {
		return nil
	}
	before := repo.EmptyTree
	if len(c.Parents) == 1 {
		parent, err := m.repo.Commit(ctx, string(c.Parents[0]))
		if errors.Is(err, repo.ErrShallow) {
			return nil
		}
		if err != nil {
			return err
		}
		before = parent.Tree
	}
	changes, err := m.repo.Changes(ctx, before, c.Tree, repo.DiffOptions{Renames: true})
	if err != nil {
		return err
	}
	for _, f := range changes {
		if f.NewMode != "" && f.OldID != f.NewID && !m.known.names(f.Path) {
			m.files[f.Path] = true
		}
	}
	return nil
}

// names reports whether an edit names a path; one may name it from a folder above the repository, or by its full path.
func (k recordedDeeds) names(path string) bool {
	if k.files[path] {
		return true
	}
	for f := range k.files {
		if strings.HasSuffix(f, "/"+path) {
			return true
		}
	}
	return false
}
