package hooks

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheLastMessageIsAsGitWouldStoreIt(t *testing.T) {
	w, r := newRepository(t)
	for name, c := range map[string]struct{ file, comment, want string }{
		"what came by -m keeps its #":   {"# ACT\n\nbody\n", "", "# ACT\n\nbody\n"},
		"an editor's ends in comments":  {"Work\n\nbody\n\n# Please enter\n", "", "Work\n\nbody\n"},
		"one of commit -v has scissors": {"Work\n# ------------------------ >8 ------------------------\ndiff\n", "", "Work\n"},
		"comments by another character": {"Work\n# text\n; Please enter\n", ";", "Work\n# text\n"},
		"a character that git chooses":  {"Work\n# Please enter\n", "auto", "Work\n"},
		"no message at all":             {"", "", ""},
	} {
		if c.comment != "" {
			w.Git("config", "core.commentChar", c.comment)
		}
		file := messageFile(w, c.file)
		text, rest, path, err := LastMessage(t.Context(), r)
		if err != nil || string(text) != c.want || rest.Size != 0 || path != file {
			t.Errorf("%s: %q and %+v at %s, %v, want %q", name, text, rest, path, err, c.want)
		}
		if c.comment != "" {
			w.Git("config", "--unset", "core.commentChar")
		}
	}
	if err := os.Remove(filepath.Join(w.CommonDir(), "COMMIT_EDITMSG")); err != nil {
		t.Fatal(err)
	}
	if _, _, path, err := LastMessage(t.Context(), r); !errors.Is(err, fs.ErrNotExist) || path == "" {
		t.Errorf("without a message: %q, %v", path, err)
	}
}

func TestTheLastLineOfAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	long := strings.Repeat("x", 70<<10)
	for text, want := range map[string]string{
		"": "", "\n\n": "", "a": "a", "a\n": "a", "a\nb": "b", "a\n# b\n\n\n": "# b",
		long + "\n# end\n":     "# end",
		"# begin" + long:       "", // no further back than a comment of git's reaches
		"# begin\n" + "x" + "": "x",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := lastLineOf(file); err != nil || got != want {
			t.Errorf("of %.20q… it is %.20q (%d bytes), %v, want %.20q", text, got, len(got), err, want)
		}
	}
}
