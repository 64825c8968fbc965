package parser

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// separatorLine parts the messages that go through one git stripspace together:
// it is no comment, not blank, and in no generated message.
const separatorLine = "=====8a1f=====\n"

// Clean cleans a message that is in memory; CleanExcerpt puts its lines together from pieces.
func Clean(msg []byte, mode Cleanup, comment string) []byte {
	c := cleaner{mode: mode, comment: commentPrefix(comment), cutsScissors: mode == cleanScissors}
	for line := range bytes.Lines(msg) {
		if !c.write(line) {
			break
		}
	}
	return c.out.Text
}

func TestCleanIsGitStripspace(t *testing.T) {
	dir := gitRepository(t)
	messages := corpus(6_000)
	modes := map[Cleanup][]string{CleanWhitespace: {"stripspace"}, cleanStrip: {"stripspace", "-s"}}
	for mode, args := range modes {
		// Between separators the blank lines at both ends of a message are not
		// those of the file, so they are compared further down.
		in := []byte(separatorLine)
		for _, m := range messages {
			in = append(in, bytes.TrimSuffix(m, []byte("\n"))...)
			in = append(in, "\n"+separatorLine...)
		}
		got := strings.Split(string(git(t, dir, in, args...)), separatorLine)
		if len(got) != len(messages)+2 {
			t.Fatalf("%s: git printed %d messages, want %d", mode, len(got)-2, len(messages))
		}
		for i, m := range messages {
			clean, want := strings.Trim(string(Clean(m, mode, "")), "\n"), strings.Trim(got[i+1], "\n")
			if clean != want {
				t.Fatalf("%s of %q\ngot %q\ngit %q", mode, m, clean, want)
			}
		}
	}
	for _, m := range messages[:150] {
		for mode, args := range modes {
			if got, want := Clean(m, mode, "#"), git(t, dir, m, args...); !bytes.Equal(got, want) {
				t.Errorf("%s of %q\ngot %q\ngit %q", mode, m, got, want)
			}
		}
	}
}

func TestCleanIsWhatGitCommitStores(t *testing.T) {
	dir := gitRepository(t)
	file, editor := filepath.Join(dir, "message"), filepath.Join(dir, "editor")
	// The editor puts the message in place of what git has prepared.
	if err := os.WriteFile(editor, []byte("#!/bin/sh\ncat '"+file+"' >\"$1\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	compared := map[Cleanup]int{}
	odd := []byte("subject\n\n\xef\xbf\xbe \xef\xb7\x90 \xed\xa0\x80 \xf4\x90\x80\x80 \xc0\x80 \xf0\x9f\xbf\xbe \xff \xf0\x9f\xa4\x96 \xe2\x82 \xef\xbf\xbd\n")
	for i, m := range append([][]byte{odd}, corpus(2_000)...) {
		if i > 60 && i%40 != 0 || bytes.IndexByte(m, 0) >= 0 {
			continue // git commit takes no NUL
		}
		if err := os.WriteFile(file, m, 0o644); err != nil {
			t.Fatal(err)
		}
		for _, mode := range []Cleanup{cleanStrip, CleanWhitespace, cleanVerbatim, cleanScissors} {
			source := []string{"-F", file}
			if mode == cleanScissors {
				source = []string{"-e"} // without an editor git does not cut
			}
			gitEnviron(t, dir, nil, []string{"GIT_EDITOR=" + editor}, append([]string{"commit", "-q", "--allow-empty", "--allow-empty-message", "--cleanup=" + string(mode)}, source...)...)
			_, got, _ := bytes.Cut(git(t, dir, nil, "cat-file", "commit", "HEAD"), []byte("\n\n"))
			if want := StoredUTF8(Clean(m, mode, "")); !bytes.Equal(got, want) {
				t.Fatalf("%s of %q\ngit stores %q\nClean gives %q", mode, m, got, want)
			}
			compared[mode]++
		}
	}
	t.Logf("compared commits: %v", compared)
	for mode, n := range compared {
		if n < 80 {
			t.Errorf("%s: compared %d commits only", mode, n)
		}
	}
	if len(compared) != 4 {
		t.Errorf("compared the modes %v", compared)
	}
}

func TestCleanCutsAtTheScissorsOfTheCommentCharacter(t *testing.T) {
	below := "title\n\nA: 1\n; " + cutLine + "diff --git a/x b/x\n"
	if got := string(Clean([]byte(below), cleanScissors, ";")); got != "title\n\nA: 1\n" {
		t.Errorf("with ';' %q is left", got)
	}
	if got := string(Clean([]byte(below), cleanScissors, "#")); got != below {
		t.Errorf("with '#' %q is left", got)
	}
	if got := string(Clean([]byte("// c\ntitle\n"), cleanStrip, "//")); got != "title\n" {
		t.Errorf("with a comment string %q is left", got)
	}
}

func TestCleanupModeIsGits(t *testing.T) {
	for _, c := range []struct {
		value  string
		editor bool
		mode   Cleanup
		ok     bool
	}{
		{"", true, cleanStrip, true}, {"", false, CleanWhitespace, true}, {"default", true, cleanStrip, true},
		{"scissors", true, cleanScissors, true}, {"scissors", false, CleanWhitespace, true},
		{"strip", false, cleanStrip, true}, {"verbatim", true, cleanVerbatim, true}, {"whitespace", true, CleanWhitespace, true},
		{"Strip", true, "", false}, {"none", false, "", false},
	} {
		if mode, ok := CleanupMode(c.value, c.editor); mode != c.mode || ok != c.ok {
			t.Errorf("%q, editor %v: got %q %v, want %q %v", c.value, c.editor, mode, ok, c.mode, c.ok)
		}
	}
}

func TestCleanExcerptIsClean(t *testing.T) {
	space, long := strings.Repeat(" \t", 80_000), strings.Repeat("word ", 40_000)
	messages := append(corpus(400), []byte(long+space+"end"+space), []byte(space+"\n\n"+space+"x"+space+"\ny"), []byte("# "+long+"\nx\n"),
		[]byte("x\n\n\n"+long+"\n \n"), []byte(long+"# "+cutLine+"x\n"), []byte("x\x00\n# "+cutLine+"y\n"), []byte("x\n# "+cutLine+"y\n"))
	for _, m := range messages {
		for _, mode := range []Cleanup{cleanStrip, CleanWhitespace, cleanVerbatim, cleanScissors} {
			for _, cut := range []bool{false, true} {
				want := m
				if cut {
					want = CutScissors(m, "")
				}
				want = Clean(want, mode, "")
				got, rest, err := CleanExcerpt(bytes.NewReader(m), mode, "", cut)
				if err != nil || rest.Size > 0 || !bytes.Equal(got, want) {
					t.Fatalf("%s, cut %v, of %.300q\ngot %.300q, %v\nwant %.300q", mode, cut, m, got, err, want)
				}
			}
		}
	}
}

// What git leaves out does not make a message long; what it keeps does, and is counted to the end.
func TestCleanExcerptMeasuresWhatGitStores(t *testing.T) {
	comments, blank := strings.Repeat("# a comment\n", 300_000), strings.Repeat(" \n", 2<<20)
	text, rest, err := CleanExcerpt(strings.NewReader("x\n"+comments+blank+"y\n"+strings.Repeat(" ", 3<<20)), cleanStrip, "", false)
	if err != nil || string(text) != "x\n\ny\n" || rest.Size > 0 {
		t.Errorf("%d bytes are left, and %+v, %v", len(text), rest, err)
	}
	inside := "x" + strings.Repeat(" ", 3<<20) + "y\n"
	text, rest, err = CleanExcerpt(strings.NewReader(inside), cleanStrip, "", false)
	if err != nil || len(text)+rest.Size != len(inside) || len(text) != MaxMessage {
		t.Errorf("white space inside of a line: %d bytes and %+v, %v", len(text), rest, err)
	}
}
