package weaker

import (
	"context"
	"runtime"
)

// HoldAtMost makes comparisons of more than some bytes of tests long, up to when what it returns is called.
func HoldAtMost(most int64) (restore func()) {
	was := maxTests
	maxTests = most
	return func() { maxTests = was }
}

// Held is how many bytes a comparison holds once all files of tests are read and compared.
func (c Change) Held(ctx context.Context) (int, error) {
	before := inUse()
	k := newComparison(c, &Account{})
	err := k.read(ctx)
	if err == nil {
		k.compare()
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
