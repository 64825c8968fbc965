package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/acta-git/acta/repo/state"
)

var when = time.Date(2026, 1, 26, 14, 32, 15, 0, time.UTC)

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// logOf is an audit log of n entries and the lines that it holds.
func logOf(t *testing.T, n int) (Log, [][]byte) {
	t.Helper()
	log := Audit(t.TempDir())
	for i := range n {
		act := Action{Cmd: "hook commit-msg", Params: map[string]any{"rule": "claim_required", "line": i, "message": strings.Repeat("é<\u2028>", i%7)}}
		if _, err := log.Append(context.Background(), Caller{Actor: Agent, Name: "executor-01", Session: "s"}, when, act); err != nil {
			t.Fatal(err)
		}
	}
	lines := bytes.SplitAfter(read(t, log.Path()), []byte{'\n'})
	return log, lines[:n]
}

func verified(t *testing.T, log Log) State {
	t.Helper()
	s, err := log.Verify()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestWhatWasDoneToALogIsNamed(t *testing.T) {
	log, l := logOf(t, 6)
	whole, head := bytes.Join(l, nil), read(t, log.chain.headFile())
	without := func(i int) []byte { return bytes.Join(append(append([][]byte{}, l[:i]...), l[i+1:]...), nil) }
	replaced := func(old, with string) []byte { return bytes.Replace(whole, []byte(old), []byte(with), 1) }
	forged := bytes.Replace(l[5], []byte("executor-01"), []byte("executor-02"), 1)
	e, err := newEntry(Caller{Actor: Agent}, when, Action{Cmd: "check"})
	if err != nil {
		t.Fatal(err)
	}
	behind, err := linkedLine(hashLine(bytes.TrimSpace(forged)), e)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		data, head []byte
		line       int
		says       string
	}{
		"gone on by hand":  {bytes.Join([][]byte{l[0], l[1], l[2], l[3], l[4], forged, behind}, nil), head, 6, "not the one that the head file names"},
		"params edited":    {replaced(`"line":2`, `"line":9`), head, 3, "hash"},
		"actor edited":     {bytes.Join([][]byte{l[0], bytes.Replace(l[1], []byte("executor-01"), []byte("executor-02"), 1), l[2], l[3], l[4], l[5]}, nil), head, 3, "does not follow from line 2"},
		"last actor":       {bytes.Join([][]byte{l[0], l[1], l[2], l[3], l[4], forged}, nil), head, 6, "not the one that the head file names"},
		"first removed":    {without(0), head, 1, "does not begin"},
		"third removed":    {without(2), head, 3, "does not follow from line 2"},
		"two swapped":      {bytes.Join([][]byte{l[0], l[2], l[1], l[3], l[4], l[5]}, nil), head, 2, "does not follow"},
		"one twice":        {bytes.Join([][]byte{whole, l[5]}, nil), head, 7, "does not follow"},
		"last cut off":     {without(5), head, 6, "the head file counts 6 lines, and 5 are there"},
		"cut by one byte":  {whole[:len(whole)-1], head, 6, "the head file counts 6 lines, and 5 are there"},
		"all cut off":      {nil, head, 1, "cut off"},
		"cut in the fifth": {whole[:len(whole)-len(l[5])-9], head, 5, "cut off"},
		"no JSON":          {bytes.Join([][]byte{l[0], []byte("null\n"), l[2]}, nil), head, 2, "not a JSON object"},
		"head gone":        {whole, nil, 0, "no head file"},
		"head spoiled":     {whole, []byte("{"), 0, "no head file that can be read"},
	} {
		write(t, log.Path(), c.data)
		if write(t, log.chain.headFile(), c.head); c.head == nil {
			_ = os.Remove(log.chain.headFile())
		}
		s := verified(t, log)
		if s.Fault == nil || s.Fault.Line != c.line || !strings.Contains(s.Fault.Reason, c.says) {
			t.Errorf("%s: %+v", name, s.Fault)
			continue
		}
		// It still shows when the work has gone on.
		if _, err := log.Append(context.Background(), Caller{Actor: Agent}, when, Action{Cmd: "verify"}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if s := verified(t, log); s.Fault == nil {
			t.Errorf("%s: not seen any more after another line", name)
		}
	}
}

// Whatever is done to a log at random is found at the line it was done to, or at the one after it.
func TestRandomDamageIsFound(t *testing.T) {
	log, l := logOf(t, 12)
	rnd := rand.New(rand.NewPCG(5, 1))
	for round := range 800 {
		lines := append([][]byte{}, l...)
		i := rnd.IntN(len(lines))
		at := i + 1 // the first line that is not as it was
		switch round % 4 {
		case 0: // a byte
			edited := bytes.Clone(lines[i])
			n := rnd.IntN(len(edited) - 1)
			edited[n] ^= byte(1 + rnd.IntN(255))
			lines[i] = edited
		case 1:
			lines = append(lines[:i], lines[i+1:]...)
		case 2:
			j := rnd.IntN(len(lines))
			if i == j {
				continue
			}
			lines[i], lines[j] = lines[j], lines[i]
			at = min(i, j) + 1
		case 3: // the end
			data := bytes.Join(lines, nil)
			data = data[:rnd.IntN(len(data))]
			at = bytes.Count(data, []byte{'\n'}) + 1
			lines = [][]byte{data}
		}
		write(t, log.Path(), bytes.Join(lines, nil))
		s := verified(t, log)
		switch {
		case s.Fault != nil && (s.Fault.Line == at || s.Fault.Line == at+1):
		default:
			t.Fatalf("round %d, line %d of\n%s\n%+v", round, at, bytes.Join(lines, nil), s)
		}
	}
}

// A process that is killed in an append leaves a log that the next one mends, and nothing else is lost.
func TestACrashAtAnyByteIsMended(t *testing.T) {
	log, l := logOf(t, 4)
	before := bytes.Join(l[:2], nil)
	after := bytes.Join(l, nil)
	write(t, log.Path(), before)
	_ = os.Remove(log.chain.headFile())
	h := head{Count: 2, Size: int64(len(before)), Last: hashLine(bytes.TrimSpace(l[1]))}
	for cut := len(before); cut <= len(after); cut++ {
		write(t, log.Path(), after[:cut])
		if err := log.chain.writeHead(h); err != nil {
			t.Fatal(err)
		}
		_ = os.Remove(log.Path() + ".torn")
		whole := bytes.Count(after[:cut], []byte{'\n'})
		torn := cut - bytes.LastIndexByte(after[:cut], '\n') - 1
		if s := verified(t, log); s.Fault != nil || s.Lines != whole || s.TornBytes != torn {
			t.Fatalf("cut at %d: %+v, %+v", cut, s, s.Fault)
		}
		warnings, err := log.Append(context.Background(), Caller{Actor: Agent}, when, Action{Cmd: "check"})
		if err != nil {
			t.Fatal(err)
		}
		want := whole + 1
		if torn > 0 {
			want++ // the repair says so itself
			kept := read(t, log.Path()+".torn")
			if len(warnings) != 1 || !strings.HasPrefix(warnings[0], fmt.Sprintf("the last line of the log was torn (%d bytes)", torn)) || !bytes.Equal(kept, append(after[cut-torn:cut:cut], '\n')) {
				t.Fatalf("cut at %d: %q, kept %q", cut, warnings, kept)
			}
		} else if warnings != nil {
			t.Fatalf("cut at %d: %q", cut, warnings)
		}
		if s := verified(t, log); s.Fault != nil || s.Lines != want || s.TornBytes != 0 {
			t.Fatalf("cut at %d, mended: %+v, %+v", cut, s, s.Fault)
		}
		if !bytes.HasPrefix(read(t, log.Path()), after[:cut-torn]) {
			t.Fatalf("cut at %d: whole lines were lost", cut)
		}
	}
}

// The very first append, killed: before there is a line the head file says that there is none.
func TestACrashInTheFirstLineIsMended(t *testing.T) {
	log, l := logOf(t, 1)
	for cut := range len(l[0]) + 1 {
		write(t, log.Path(), l[0][:cut])
		if err := log.chain.writeHead(head{}); err != nil {
			t.Fatal(err)
		}
		if _, err := log.Append(context.Background(), Caller{Actor: Agent}, when, Action{Cmd: "check"}); err != nil {
			t.Fatal(err)
		}
		if s := verified(t, log); s.Fault != nil || s.TornBytes != 0 {
			t.Fatalf("cut at %d: %+v, %+v", cut, s, s.Fault)
		}
	}
}

// What a killed append left of a head file is gone after the next one, into whichever log; that of one at work stays.
func TestTheNextAppendCleansUpAfterOneThatWasKilled(t *testing.T) {
	dir := t.TempDir()
	strays := []string{Events(dir).chain.headFile() + ".new", Heartbeats(dir).chain.headFile() + ".new"}
	if err := os.MkdirAll(filepath.Dir(strays[0]), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, stray := range strays {
		write(t, stray, []byte("{"))
	}
	unlock, err := state.Lock(t.Context(), Heartbeats(dir).Path(), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	for i, left := range []int{1, 0} {
		if _, err := Audit(dir).Append(t.Context(), Caller{Actor: Agent}, when, Action{Cmd: "check"}); err != nil {
			t.Fatal(err)
		}
		if n := len(slices.DeleteFunc(slices.Clone(strays), func(s string) bool { _, err := os.Stat(s); return err != nil })); n != left {
			t.Errorf("%d are left after append %d, want %d", n, i+1, left)
		}
		if i == 0 {
			if err := unlock(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Lines without a head file are never what a crash left: the head file is there before the first of them.
func TestTheHeadComesBeforeTheFirstLine(t *testing.T) {
	log, l := logOf(t, 1)
	if err := os.Remove(log.chain.headFile()); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(log.Path()) // which cannot be written to
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var e Entry
	if err := log.chain.write(f, head{}, []any{e}); err == nil {
		t.Fatal("written to a file that is open for reading")
	}
	if h, err := log.chain.readHead(); err != nil || h != (head{}) {
		t.Errorf("got %+v, %v", h, err)
	}
	if !bytes.Equal(read(t, log.Path()), l[0]) {
		t.Error("the log was changed")
	}
}

// A last line that the head counts as whole, and of which a part is left, was cut: the log stays broken, whatever is
// added.
func TestALastLineThatWasWholeOnceWasCut(t *testing.T) {
	for _, journal := range []func(dir string) Log{Audit, Events, Heartbeats, Feedback} {
		log := journal(t.TempDir())
		for range 2 {
			if _, err := log.Append(t.Context(), Caller{Actor: Agent}, when, Action{Cmd: "check"}); err != nil {
				t.Fatal(err)
			}
		}
		data := read(t, log.Path())
		write(t, log.Path(), data[:len(data)-1])
		if s := verified(t, log); s.Fault == nil || s.Fault.Line != 2 || s.TornBytes != 0 {
			t.Errorf("%s: %+v, %+v", log.Path(), s, s.Fault)
		}
		warnings, err := log.Append(t.Context(), Caller{Actor: Agent}, when, Action{Cmd: "check"})
		if err != nil || len(warnings) != 1 || !strings.Contains(warnings[0], "was whole before") {
			t.Fatalf("%s: %q, %v", log.Path(), warnings, err)
		}
		if s := verified(t, log); s.Fault == nil || s.Fault.Line != 2 {
			t.Errorf("%s, mended: %+v, %+v", log.Path(), s, s.Fault)
		}
		if data := string(read(t, log.Path())); !strings.Contains(data, `"cmd":"repair","params":{"counted":true,"kept":"`+filepath.Base(log.Path())+`.torn"`) || !strings.Contains(data, `"actor":"system"`) {
			t.Errorf("%s: the repair is not recorded:\n%s", log.Path(), data)
		}
	}
	dir := t.TempDir()
	add(t, dir, "a>b")
	add(t, dir, "b>c")
	data := read(t, rewritesFile(dir))
	write(t, rewritesFile(dir), data[:len(data)-1])
	if s, err := VerifyRewrites(dir); err != nil || s.Fault == nil || s.Fault.Line != 2 {
		t.Errorf("rewrites: %+v, %v", s, err)
	}
}

// What a crash would leave of a last line covers nothing that was done to the lines before it.
func TestATornLineCoversNoEdit(t *testing.T) {
	log, l := logOf(t, 3)
	forged := bytes.Replace(l[1], []byte("executor-01"), []byte("executor-02"), 1)
	write(t, log.Path(), bytes.Join([][]byte{l[0], forged, l[2][:9]}, nil))
	if s := verified(t, log); s.Fault == nil || s.TornBytes != 0 {
		t.Errorf("got %+v, %+v", s, s.Fault)
	}
}

// A reading tells what Verify and Read do, whatever was done to the log, and an edited line what its hash says that
// it was.
func TestAReadingIsHeldToTheChain(t *testing.T) {
	log, l := logOf(t, 4)
	whole := bytes.Join(l, nil)
	for name, data := range map[string][]byte{
		"as written": whole, "edited": bytes.Replace(whole, []byte(`"line":1`), []byte(`"line":7`), 1), "cut": bytes.Join(l[:2], nil),
		"torn": whole[:len(whole)-4], "spoiled": bytes.Join([][]byte{l[0], []byte("null\n"), l[2], l[3]}, nil), "empty": nil,
	} {
		write(t, log.Path(), data)
		entries, s, err := log.ReadVerified()
		read, errRead := log.Read()
		if err != nil || errRead != nil || !reflect.DeepEqual(s, verified(t, log)) || len(entries) != len(read) {
			t.Errorf("%s: %+v, %d entries, %v", name, s, len(entries), err)
			continue
		}
		for i := range entries {
			if !bytes.Equal(entries[i].Line, read[i].Line) || entries[i].Hash != read[i].Hash {
				t.Errorf("%s: entry %d is %s", name, i+1, entries[i].Line)
			}
		}
	}
	write(t, log.Path(), bytes.Replace(whole, []byte(`"line":1,`), []byte(`"line":7,"more":0,`), 1))
	entries, _, err := log.ReadVerified()
	if err != nil {
		t.Fatal(err)
	}
	others := map[string][]string{"line": {"0", "1", "2"}, "more": {"1", ""}}
	if got := string(entries[1].OriginalParams(others)); !strings.HasPrefix(got, `{"line":1,"message"`) {
		t.Errorf("it was %s", got)
	}
	if got := entries[1].OriginalParams(map[string][]string{"line": {"2"}}); !bytes.Equal(got, entries[1].Params) {
		t.Errorf("what it was is not known, and it is %s", got)
	}
	if got := entries[2].OriginalParams(others); !bytes.Equal(got, entries[2].Params) {
		t.Errorf("nothing was done to it, and it is %s", got)
	}
}

func TestAWriterAtWorkDoesNotLookLikeDamage(t *testing.T) {
	l := Feedback(t.TempDir())
	for range 2 {
		if _, err := l.Append(t.Context(), Caller{Actor: Agent, Name: "x"}, time.Now(), Action{Cmd: "a"}); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(l.Path())
	if err != nil {
		t.Fatal(err)
	}
	unlock, err := state.Lock(t.Context(), l.Path(), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(l.Path(), int64(bytes.IndexByte(data, '\n')+1)); err != nil { // a torn line is out of the log
		t.Fatal(err)
	}
	written := make(chan error, 1)
	time.AfterFunc(50*time.Millisecond, func() { written <- errors.Join(os.WriteFile(l.Path(), data, 0o666), unlock()) })
	entries, s, err := l.ReadVerified()
	if err != nil || s.Fault != nil || len(entries) != 2 {
		t.Errorf("%d entries, %+v, %v", len(entries), s.Fault, err)
	}
	if err := <-written; err != nil {
		t.Error(err)
	}
}
