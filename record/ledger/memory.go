package ledger

import (
	"fmt"
	"sync"
)

// Memory lets a process that runs long answer from a replay for as long as nothing has changed. It is safe for use by
// several goroutines, and may be shared by the stores of a process.
type Memory struct {
	marks Marker
	mu    sync.Mutex
	whole map[string]*wholeReplay
}

// Marker tells one state of the repository of a folder from another without git: its mark is equal as long as nothing
// has changed that scores are made of. It is asked before the repository is read.
type Marker interface{ Mark(dir string) string }

// maxWhole is how many replays are kept: of all repositories, of each, and some more.
const maxWhole = 16

// wholeReplay is a replay and what it was made of. Its lock is held while it is made, so that
// of many who ask at once one makes it.
type wholeReplay struct {
	mu    sync.Mutex
	marks string
	value *replayed
}

// NewMemory is one that knows nothing yet.
func NewMemory(marks Marker) *Memory {
	return &Memory{marks: marks, whole: map[string]*wholeReplay{}}
}

// replay is what create makes of the folders, for as long as their marks hold.
func (m *Memory) replay(dirs []string, q Query, create func() (*replayed, error)) (*replayed, error) {
	w := m.wholeOf(fmt.Sprintf("%q %q", dirs, q.Ref))
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
