package ledger

import (
	"fmt"
	"sync"
)

// Memory lets a long-running process reuse a replay until something changes. Several goroutines may use it, and several
// stores may share it.
type Memory struct {
	marks   Marker
	mu      sync.Mutex
	replays map[string]*cachedReplay
}

// Marker returns a mark of the repository in a folder, without git; the mark changes with everything that affects
// scores. It is read before the repository is.
type Marker interface{ Mark(dir string) string }

// maxReplays is how many replays are kept: of all repositories, of each, and some more.
const maxReplays = 16

// cachedReplay is a replay and its marks. Its lock is held while it is made, so that concurrent callers make it once.
type cachedReplay struct {
	mu    sync.Mutex
	marks string
	value *replayResult
}

// NewMemory is an empty one.
func NewMemory(marks Marker) *Memory {
	return &Memory{marks: marks, replays: map[string]*cachedReplay{}}
}

// replay is the result of create, reused as long as the marks of the folders stay equal.
func (m *Memory) replay(dirs []string, q Query, create func() (*replayResult, error)) (*replayResult, error) {
	w := m.entry(fmt.Sprintf("%q %q", dirs, q.Ref))
	w.mu.Lock()
	defer w.mu.Unlock()
	marks := ""
	for _, dir := range dirs {
		marks += m.marks.Mark(dir) + " "
	}
	if w.value != nil && w.marks == marks {
		return w.value, nil
	}
	value, err := create()
	if err != nil {
		return nil, err
	}
	w.marks, w.value = marks, value
	if value.isIncomplete {
		w.value = nil
	}
	return value, nil
}

func (m *Memory) entry(key string) *cachedReplay {
	m.mu.Lock()
	defer m.mu.Unlock()
	w := m.replays[key]
	if w == nil {
		if len(m.replays) >= maxReplays {
			clear(m.replays)
		}
		w = &cachedReplay{}
		m.replays[key] = w
	}
	return w
}
