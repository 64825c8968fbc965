package worklog

import (
	"os"
	"testing"
	"time"
)

// when is the time at which everything happens that needs one.
var when = time.Date(2026, 1, 26, 14, 32, 15, 0, time.UTC)

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}
