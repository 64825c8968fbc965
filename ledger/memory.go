package ledger

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/acta-git/acta/history"
	"github.com/acta-git/acta/journal"
	"github.com/acta-git/acta/repo"
)

// Fingerprints tell one state of a repository from another without git. One is equal as
// long as nothing of its kind has changed.
type Fingerprints struct {
	// All is of everything that scores are made of: HEAD, the refs and the logs.
	All string
	// Refs leaves out the logs, Work also the notes.
	Refs, Work string
}

// Memory lets a process that runs long count only what is new: what was read of a
// repository holds until a mark changes, and a commit that the process has judged, or taken from a cache
// that it has checked, is not checked again. It is safe for use by several
// goroutines, and may be shared by the stores of a process.
type Memory struct {
	// Fingerprints are those of the repository of a folder. They are asked before it is read.
	Marks func(dir string) Fingerprints

	mu    sync.Mutex
	repos map[string]*remembered
	whole map[string]*wholeReplay
}

// maxWhole is how many replays are kept: of all repositories, of each, and some more.
const maxWhole = 16

// wholeReplay is a replay and what it was made of. Its lock is held while it is made, so that
// of many who ask at once one makes it.
type wholeReplay struct {
	mu    sync.Mutex
	marks string
	value *replayed
}

// remembered is what is known of one repository.
type remembered struct {
	mu       sync.Mutex
	state    string
	work     map[string]*contents // by ref; landed rows only
	workMark string
	noted    bool
	votes    []Vote // of notes
	refsMark string
	accounts scoredCommits
	logs     map[string]*rememberedLog // by path
}

// rememberedLog is what a log holds, for as long as it has the stamp.
type rememberedLog struct {
	stamp string
	logged
}

// NewMemory is one that knows nothing yet.
func NewMemory(marks func(dir string) Fingerprints) *Memory {
	return &Memory{Marks: marks, repos: map[string]*remembered{}, whole: map[string]*wholeReplay{}}
}

func (m *Memory) of(dir string) *remembered {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.repos[dir]
	if r == nil {
		r = &remembered{}
		m.repos[dir] = r
	}
	return r
}

// replay is what create makes of the folders, for as long as their marks hold.
func (m *Memory) replay(dirs []string, q Query, create func() (*replayed, error)) (*replayed, error) {
	w := m.wholeOf(fmt.Sprintf("%q %q", dirs, q.Ref))
	w.mu.Lock()
	defer w.mu.Unlock()
	marks := ""
	for _, dir := range dirs {
		marks += m.Marks(dir).All + " "
	}
	if w.value != nil && w.marks == marks {
		return w.value, nil
	}
	value, err := create()
	if err != nil {
		return nil, err
	}
	w.marks, w.value = marks, value
	if value.doubtful {
		w.value = nil
	}
	return value, nil
}

func (m *Memory) wholeOf(key string) *wholeReplay {
	m.mu.Lock()
	defer m.mu.Unlock()
	w := m.whole[key]
	if w == nil {
		if len(m.whole) >= maxWhole {
			clear(m.whole)
		}
		w = &wholeReplay{}
		m.whole[key] = w
	}
	return w
}

// read is what Repositories.read does, without what is known already.
func (m *Memory) read(ctx context.Context, s *Repositories, dir string, q Query) (*contents, error) {
	known := m.of(dir)
	known.mu.Lock()
	defer known.mu.Unlock()
	marks := m.Marks(dir)
	r, err := s.open(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	state, err := known.stateDirLocked(ctx, s, r)
	if err != nil {
		return nil, err
	}
	landed, err := known.landed(marks, q, func() (*contents, error) {
		out := newContents()
		return out, s.readLanded(ctx, r, dir, state, q, known, out)
	})
	if err != nil {
		return nil, err
	}
	votes, err := known.noteVotes(ctx, r, marks)
	if err != nil {
		return nil, err
	}
	out := *landed
	out.rows, out.votes = slices.Clip(landed.rows), slices.Clip(votes)
	return &out, s.readLogs(state, known, &out)
}

func (k *remembered) stateDir(ctx context.Context, s *Repositories, r *repo.Repo) (string, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.stateDirLocked(ctx, s, r)
}

func (k *remembered) stateDirLocked(ctx context.Context, s *Repositories, r *repo.Repo) (string, error) {
	if k.state == "" {
		state, err := s.stateDir(ctx, r)
		if err != nil {
			return "", err
		}
		k.state = state
	}
	return k.state, nil
}

// landed is what has landed on the branch of the query.
func (k *remembered) landed(marks Fingerprints, q Query, read func() (*contents, error)) (*contents, error) {
	if k.work == nil || k.workMark != marks.Work {
		k.work, k.workMark = map[string]*contents{}, marks.Work
	}
	if c := k.work[q.Ref]; c != nil {
		return c, nil
	}
	c, err := read()
	if err != nil {
		return nil, err
	}
	if !c.doubtful && len(k.work) < maxWhole {
		k.work[q.Ref] = c
	}
	return c, nil
}

func (k *remembered) noteVotes(ctx context.Context, r *repo.Repo, marks Fingerprints) ([]Vote, error) {
	if k.noted && k.refsMark == marks.Refs {
		return k.votes, nil
	}
	votes, err := noteVotes(ctx, r)
	if err != nil {
		return nil, err
	}
	k.noted, k.votes, k.refsMark = true, votes, marks.Refs
	return votes, nil
}

// log is what a log holds. It is read, and held to its chain, when it has changed.
func (k *remembered) log(l journal.Log, read func() (logged, error)) (logged, error) {
	if k == nil {
		return read()
	}
	stamp := l.Stamp() // of before it is read
	if known := k.logs[l.Path()]; known != nil && known.stamp == stamp {
		return known.logged, nil
	}
	held, err := read()
	if err != nil {
		return held, err
	}
	if k.logs == nil {
		k.logs = map[string]*rememberedLog{}
	}
	k.logs[l.Path()] = &rememberedLog{stamp, held}
	return held, nil
}

// take remembers the accounts of a history, and forgets others when they are most of what is known.
func (k *remembered) take(all []*history.ScoredCommit) {
	if len(k.accounts) > 2*len(all) || k.accounts == nil {
		k.accounts = make(scoredCommits, len(all))
	}
	for _, a := range all {
		k.accounts[a.Commit] = a
	}
}
