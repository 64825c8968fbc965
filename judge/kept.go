package judge

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/gob"
	"fmt"
	"hash/crc32"
	"os"
	"strings"
	"sync"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/localstate"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/tests"
)

// facts are what is known of a commit from its trees alone, whatever it says.
type facts struct {
	// Account is what became of tests and gates; nil where nothing did.
	Account *tests.Account
	// Stubs: a changed file may have got a stub.
	Stubs bool
}

// kept are the facts that earlier runs over long ranges found, so that one that was interrupted resumes where it ended.
// They rest on nothing but commits, policy and executable, and are local state: nothing of what is judged writes them.
// A line is «<key> <sum> <facts>»; from the first one that is doubtful on, nothing counts. A nil kept keeps nothing.
type kept struct {
	commonDir, head string

	mu    sync.Mutex
	known map[string]string
	sound int    // how much of the file counts, in bytes
	fresh []byte // what is to be added
}

const (
	// keptFile is where they lie in the local state.
	keptFile = "cache/judged"
	// keptFormat is raised when the meaning of what is kept changes.
	keptFormat = 1
	// leastRange is how many commits a range has for which it is worth reading what is kept.
	leastRange = 50
	// keptBytes is how much is collected before it is written.
	keptBytes = 64 << 10
)

// newKept reads what is kept for a policy, which is named by its hash; nil where it is not known which executable runs.
func newKept(commonDir, policy string) *kept {
	executable := build()
	if executable == "" {
		return nil
	}
	k := &kept{commonDir: commonDir, known: map[string]string{},
		head: fmt.Sprintf("acta judged %d %s %s %s\n", keptFormat, diag.Release, executable, policy)}
	data, err := localstate.Read(localstate.Path(commonDir, keptFile))
	rest, ok := strings.CutPrefix(string(data), k.head)
	if err != nil || !ok {
		return k
	}
	k.sound = len(k.head)
	for line := range strings.Lines(rest) {
		key, sum, value := cutLine(line)
		if sum != sumOf(key, value) {
			break
		}
		k.known[key], k.sound = value, k.sound+len(line)
	}
	return k
}

// build tells executables of one release apart: one that was built again may judge otherwise. It is "" where it is not
// known which file runs.
func build() string {
	name, err := os.Executable()
	if err != nil {
		return ""
	}
	info, err := os.Stat(name)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%d-%d", info.Size(), info.ModTime().UnixNano())
}

// cutLine is empty for a line that is none.
func cutLine(line string) (key, sum, value string) {
	whole, ended := strings.CutSuffix(line, "\n")
	if parts := strings.Split(whole, " "); ended && len(parts) == 3 {
		return parts[0], parts[1], parts[2]
	}
	return "", "", ""
}

func sumOf(key, value string) string {
	return fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(key+" "+value)))
}

// nothing is how facts are written that have nothing to tell.
const nothing = "-"

func encoded(f facts) string {
	if f.Account == nil && !f.Stubs {
		return nothing
	}
	var out bytes.Buffer
	if err := gob.NewEncoder(&out).Encode(f); err != nil {
		return ""
	}
	return base64.RawStdEncoding.EncodeToString(out.Bytes())
}

// get returns the facts of a key; ok is false where they are not known.
func (k *kept) get(key string) (f facts, ok bool) {
	if k == nil {
		return f, false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	value, ok := k.known[key]
	if !ok || value == nothing {
		return facts{}, ok
	}
	data, err := base64.RawStdEncoding.DecodeString(value)
	if err != nil || gob.NewDecoder(bytes.NewReader(data)).Decode(&f) != nil {
		return facts{}, false
	}
	return f, true
}

// put adds facts that were found. What cannot be written is found again.
func (k *kept) put(key string, f facts) {
	if k == nil {
		return
	}
	value := encoded(f)
	if value == "" {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.fresh = fmt.Appendf(k.fresh, "%s %s %s\n", key, sumOf(key, value), value)
	if len(k.fresh) >= keptBytes {
		k.write()
	}
}

// end writes what is left.
func (k *kept) end() {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.fresh) > 0 {
		k.write()
	}
}

// write adds what is new to the file, or begins it anew. The caller holds mu.
func (k *kept) write() {
	fresh := k.fresh
	k.fresh = nil
	path := localstate.Path(k.commonDir, keptFile)
	if info, err := os.Stat(path); err == nil && k.sound > 0 && info.Size() == int64(k.sound) {
		if unlock, err := localstate.TryLock(path); err != nil || unlock == nil {
			return // another run writes
		} else {
			defer func() { _ = unlock() }()
		}
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o666)
		if err != nil {
			return
		}
		n, _ := f.Write(fresh)
		_ = f.Close()
		k.sound += n
		return
	}
	_ = localstate.Change(context.Background(), k.commonDir, keptFile, func(data []byte) ([]byte, error) {
		if k.sound == 0 || len(data) < k.sound {
			data, k.sound = []byte(k.head), len(k.head)
		}
		data = append(data[:k.sound:k.sound], fresh...)
		k.sound = len(data)
		return data, nil
	})
}

// doubt forgets everything.
func (k *kept) doubt() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.known, k.sound = map[string]string{}, 0
}

// keptFor reads what is kept for a range; nil for a short one.
func keptFor(ctx context.Context, r *repo.Repo, policy func(context.Context) (string, error), commits int) *kept {
	if commits < leastRange {
		return nil
	}
	g, err := r.Layout(ctx)
	if err != nil || g.Shallow {
		return nil
	}
	hash, err := policy(ctx)
	if err != nil {
		return nil
	}
	return newKept(g.CommonDir, hash)
}
