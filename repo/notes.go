package repo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

const maxNote = 1 << 20

// Notes are the notes of a ref (refs/notes/…), by annotated commit; empty if there is no such ref. The commits need not
// exist here.
func (r *Repo) Notes(ctx context.Context, ref string) (map[ID][]byte, error) {
	notes := map[ID][]byte{}
	tip, err := r.RefID(ctx, ref)
	if err != nil || tip == "" {
		return notes, err
	}
	c, err := r.Commit(ctx, string(tip))
	if err != nil {
		return nil, err
	}
	noteBlobs, blobs := map[ID]ID{}, []ID{}
	err = r.visitChanges(ctx, "", Entry{}, rootEntry(c.Tree), func(path string, _, e Entry) {
		id := strings.ReplaceAll(path, "/", "") // git spreads many notes over folders
		if IsID(id) && e.Mode != submodule {
			noteBlobs[ID(id)], blobs = e.ID, append(blobs, e.ID)
		}
	})
	if err != nil {
		return nil, err
	}
	if err := r.prefetchBlobs(ctx, blobs, maxNote); err != nil {
		return nil, err
	}
	for id, blob := range noteBlobs {
		if notes[id], err = r.noteAt(ctx, r.Snapshot(c.Tree), ref, id, blob); err != nil {
			return nil, err
		}
	}
	return notes, nil
}

// Note is the note on one commit; nil if there is none. notes names a ref, or a commit of it. Other notes are not read.
func (r *Repo) Note(ctx context.Context, notes string, on ID) ([]byte, error) {
	if err := on.check(); err != nil {
		return nil, err
	}
	c, err := r.Commit(ctx, notes)
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s, path := r.Snapshot(c.Tree), string(on)
	for n := 0; n < len(on)-2; n += 2 { // git spreads many notes over folders: ab/cdef…, ab/cd/ef…
		if n > 0 {
			at := n + n/2 - 1
			path = path[:at] + "/" + path[at:]
		}
		e, err := s.Entry(ctx, path)
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		return r.noteAt(ctx, s, notes, on, e.ID)
	}
	return nil, nil
}

func (r *Repo) noteAt(ctx context.Context, s *Snapshot, ref string, on, blob ID) ([]byte, error) {
	size, err := s.Size(ctx, blob)
	if err != nil {
		return nil, err
	}
	if size > maxNote {
		return nil, fmt.Errorf("the note of %s on %.12s is %d bytes long, and at most %d are read", ref, on, size, maxNote)
	}
	return s.Blob(ctx, blob)
}

// NoteLine is a line to add to the note of a commit.
type NoteLine struct {
	// Ref is the full name of the notes' ref.
	Ref    string
	Commit ID
	// Line may hold several lines.
	Line string
	// Name is the committer's; characters that git does not allow are dropped.
	Name    string
	When    time.Time
	Message string
}

// noteTries bounds how often AddNote tries again because another process moved the ref.
const noteTries = 100

// AddNote adds a line; the note's lines stay sorted and unique, as `git notes merge --strategy=cat_sort_uniq` keeps
// them. Concurrent calls lose no line.
func (r *Repo) AddNote(ctx context.Context, n NoteLine) error {
	if err := n.Commit.check(); err != nil {
		return err
	}
	var failed error
	for range noteTries {
		tip, err := r.RefID(ctx, n.Ref)
		if err != nil {
			return err
		}
		var note []byte
		if tip != "" {
			if note, err = r.Note(ctx, string(tip), n.Commit); err != nil {
				return err
			}
		}
		content := sortedLines(note, n.Line)
		if len(content) > maxNote {
			return fmt.Errorf("the note of %s on %.12s would be %d bytes long, and at most %d are read", n.Ref, n.Commit,
				len(content), maxNote)
		}
		rec := Record{Ref: n.Ref, Parent: tip, Name: n.Name, When: n.When, Message: n.Message}
		failed = r.fastImport(ctx, rec, fmt.Sprintf("N inline %s\ndata %d\n%s\n", n.Commit, len(content), content))
		if failed == nil || ctx.Err() != nil {
			return failed
		}
		now, err := r.RefID(ctx, n.Ref)
		if err != nil {
			return err
		}
		var git *commandError
		if now == tip && (!errors.As(failed, &git) || !strings.Contains(git.stderr, "cannot lock ref")) {
			return failed
		}
	}
	return failed
}

func sortedLines(note []byte, line string) []byte {
	lines := append(strings.Split(string(note), "\n"), strings.Split(line, "\n")...)
	slices.Sort(lines)
	lines = slices.DeleteFunc(slices.Compact(lines), func(l string) bool { return l == "" })
	return []byte(strings.Join(lines, "\n") + "\n")
}
