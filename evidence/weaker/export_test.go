package weaker

import (
	"context"
	"runtime"
)

// HoldNothing has comparisons read every file again of which more is asked, up to when what it returns is called.
func HoldNothing() (restore func()) {
	was := maxHeld
	maxHeld = 0
	return func() { maxHeld = was }
}

// Held is how many bytes a comparison holds once all files of tests are read and compared.
func (c Change) Held(ctx context.Context) (int, error) {
	before := inUse()
	k := newComparison(c, &Account{})
	err := k.read(ctx)
	if err == nil {
		err = k.compare(ctx)
	}
	held := inUse() - before
	runtime.KeepAlive(k)
	return held, err
}

func inUse() int {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what the first one finalizes
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
