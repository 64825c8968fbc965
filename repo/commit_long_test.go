package repo

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/acta-git/acta/parser/excerpt"
)

func TestALongCommitIsReadUpToTheLimit(t *testing.T) {
	s := newScratch(t)
	s.commit("base")
	line := "words and words of a message that somebody pasted\n"
	message := "Paste\n\n" + strings.Repeat(line, 50<<20/len(line)) + "* ACT: T01 beyond\n"
	file := filepath.Join(t.TempDir(), "message")
	if err := os.WriteFile(file, []byte(message), 0o644); err != nil {
		t.Fatal(err)
	}
	s.git("commit", "-q", "--allow-empty", "-F", file)
	s.commit("above")
	long := s.id("HEAD~1")
	for name, read := range map[string]func(*Repo) (Commit, error){
		"alone": func(r *Repo) (Commit, error) { return r.Commit(context.Background(), string(long)) },
		"ahead": func(r *Repo) (Commit, error) {
			if err := r.PrefetchCommits(context.Background(), []ID{long, s.id("HEAD")}); err != nil {
				return Commit{}, err
			}
			return r.Commit(context.Background(), string(long))
		},
	} {
		r := s.open()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		c, err := read(r)
		runtime.ReadMemStats(&after)
		if cost := after.TotalAlloc - before.TotalAlloc; err != nil || cost > 24<<20 {
			t.Errorf("%s: %v, at the cost of %d bytes", name, err, cost)
		}
		if string(c.Message) != message[:excerpt.MaxBytes] || c.MessageRest != (excerpt.Tail{Size: len(message) - excerpt.MaxBytes, HasTitle: true}) {
			t.Errorf("%s: %d bytes are kept, and %+v", name, len(c.Message), c.MessageRest)
		}
		if next, err := r.Commit(context.Background(), "HEAD"); err != nil || string(next.Message) != "above\n" {
			t.Errorf("%s: the commit after it: %q, %v", name, next.Message, err)
		}
	}
}

func TestHeadersWithoutEndAreDamage(t *testing.T) {
	s := newScratch(t)
	base := s.commit("base")
	headers, _, _ := strings.Cut(s.git("cat-file", "commit", string(base)), "\n\n")
	file := filepath.Join(t.TempDir(), "commit")
	if err := os.WriteFile(file, []byte(headers+"\nnote "+strings.Repeat("x", 2<<20)+"\n\nmessage\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	id := strings.TrimSpace(s.git("hash-object", "-t", "commit", "-w", "--literally", file))
	r := s.open()
	_, err := r.Commit(context.Background(), id)
	wants(t, err, ErrDamaged)
	says(t, err, "headers", "1 MiB")
	if c, err := r.Commit(context.Background(), string(base)); err != nil || string(c.Message) != "base\n" {
		t.Errorf("the commit after it: %q, %v", c.Message, err)
	}
}
