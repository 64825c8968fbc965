package state

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestChangesAtOnceAreMadeOneAfterTheOther(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			err := Change(context.Background(), dir, "count", func(data []byte) ([]byte, error) {
				n, _ := strconv.Atoi(string(data)) // nil is 0
				return []byte(strconv.Itoa(n + 1)), nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if data, err := Read(Path(dir, "count")); string(data) != "20" || err != nil {
		t.Errorf("got %q, %v", data, err)
	}
}

func TestAChangeThatFailsOrSaysNothingChangesNothing(t *testing.T) {
	dir, failed := t.TempDir(), errors.New("no")
	for _, c := range []struct {
		data []byte
		err  error
	}{{nil, nil}, {[]byte("x"), failed}} {
		err := Change(context.Background(), dir, "f", func([]byte) ([]byte, error) { return c.data, c.err })
		if !errors.Is(err, c.err) {
			t.Errorf("got %v, want %v", err, c.err)
		}
	}
	if data, err := Read(Path(dir, "f")); data != nil || err != nil {
		t.Errorf("a file was made: %q, %v", data, err)
	}
}

func TestALockIsWaitedForNoLongerThanSaid(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	unlock, err := Lock(context.Background(), path, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Lock(context.Background(), path, time.Millisecond); err == nil || !strings.Contains(err.Error(), "is locked by another process") {
		t.Errorf("a second lock: %v", err)
	}
	if again, err := TryLock(path); again != nil || err != nil {
		t.Errorf("a lock that somebody has was taken: %v", err)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	again, err := TryLock(path)
	if again == nil || err != nil {
		t.Fatalf("a free lock was not taken: %v", err)
	}
	if err := again(); err != nil {
		t.Error(err)
	}
}

func TestReplaceLeavesNothingBeside(t *testing.T) {
	dir := t.TempDir()
	for _, text := range []string{"one", "two"} {
		if err := Replace(filepath.Join(dir, "f"), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	names, err := os.ReadDir(dir)
	if err != nil || len(names) != 1 {
		t.Errorf("got %v, %v", names, err)
	}
	if err := Replace(filepath.Join(dir, "none", "f"), nil); err == nil {
		t.Error("a file was written into a folder that is not there")
	}
}

func TestJSONKeepsWhatHTMLWouldEscape(t *testing.T) {
	line, err := JSONLine(map[string]string{"a": "<b> & c"})
	if want := `{"a":"<b> & c"}` + "\n"; string(line) != want || err != nil {
		t.Errorf("got %q, %v", line, err)
	}
	page, err := IndentedJSON(map[string]string{"a": "<"})
	if want := fmt.Sprintf("{\n  %q: \"<\"\n}\n", "a"); string(page) != want || err != nil {
		t.Errorf("got %q, %v", page, err)
	}
}
