package excerpt

import (
	"bytes"
	"io"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

func TestALongMessageKeepsItsBeginningAndItsSize(t *testing.T) {
	for _, size := range []int{0, 1, MaxBytes - 1, MaxBytes, MaxBytes + 1, 3*MaxBytes + 7} {
		message := bytes.Repeat([]byte("words\n"), size/6+1)[:size]
		text, rest, err := Read(bytes.NewReader(message))
		if err != nil || !bytes.Equal(text, message[:min(size, MaxBytes)]) || rest != (Tail{Size: max(0, size-MaxBytes)}) {
			t.Errorf("of %d bytes %d are kept, with %+v, %v", size, len(text), rest, err)
		}
		if again, r := FromBytes(message); !bytes.Equal(again, text) || r != rest {
			t.Errorf("Of makes %d bytes and %+v of %d, Read %d and %+v", len(again), r, size, len(text), rest)
		}
	}
}

// pieces writes to w in pieces of n bytes.
func pieces(w io.Writer, text string, n int) {
	for ; len(text) > n; text = text[n:] {
		_, _ = io.WriteString(w, text[:n])
	}
	_, _ = io.WriteString(w, text)
}

func TestATitleBeyondIsSeen(t *testing.T) {
	// above fills what is kept up to n bytes before its end.
	above := func(n int) string { return strings.Repeat("x", MaxBytes-n-1) + "\n" }
	for name, c := range map[string]struct {
		message string
		want    bool
	}{
		"first line beyond":      {above(0) + "ACT: T01", true},
		"far beyond":             {above(0) + strings.Repeat("words: of words\n", 200_000) + "  *  adapt\t: T01\nwords\n", true},
		"cut by the limit":       {above(2) + "ACT: T01 login\n", true},
		"cut before the colon":   {above(3) + "ACT: T01 login\n", true},
		"read before the limit":  {above(4) + "ACT: T01 login\nwords\n", false},
		"inside of a long line":  {strings.Repeat("x", MaxBytes) + "ACT: T01\n", false},
		"a word that ends in it": {above(0) + "fact: true\nadaptive: yes\nto act: so\n* * act: no\n*act: no\nact\n: no\n", false},
	} {
		for _, n := range []int{1, 7, len(c.message)} {
			var w Writer
			if pieces(&w, c.message, n); w.Tail.HasTitle != c.want {
				t.Errorf("%s, in pieces of %d bytes: titled %v", name, n, w.Tail.HasTitle)
			}
		}
	}
}

func FuzzLooksTitled(f *testing.F) {
	want := regexp.MustCompile(`(?im)^[ \t]*([*-][ \t]+)?(act|adapt)[ \t]*:`)
	for _, s := range []string{"", "x\nACT: T1", "*  Act :", "-\tADAPT\t \t:", "* * act:", "act\n:", "\r\nact:", "--act:", " - act  x:", "- - act:", "*act:", "actact:"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got := LooksLikeTitle(text); got != want.MatchString(text) {
			t.Errorf("%q: %v", text, got)
		}
	})
}

// words is a text without end.
type words struct{}

func (words) Read(p []byte) (int, error) { return copy(p, "words and words: a fact\n"), nil }

func TestALongMessageCostsNoMoreMemoryThanIsKept(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	text, rest, err := Read(io.LimitReader(words{}, 50<<20))
	runtime.ReadMemStats(&after)
	if cost := after.TotalAlloc - before.TotalAlloc; err != nil || len(text)+rest.Size != 50<<20 || cost > 8<<20 {
		t.Errorf("%d bytes of a message, %v, cost %d bytes", len(text)+rest.Size, err, cost)
	}
}
