package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2/maybe"

	"github.com/acta-git/acta/history"
)

// cache keeps what judging landed commits gave, by commit. It is an accelerator
// and nothing else: which commits there are is always asked of git, a cache of
// another release or with another checksum counts for nothing, and on every use but those that a Memory spares some of
// the commits are judged again (see spotChecks). Where one differs the cache is thrown away.
type cache struct {
	path    string
	release string
}

// cacheFormat is raised when the meaning of what is kept changes.
const cacheFormat = 5

// errNoCache is a cache that is not there, or that cannot be used.
var errNoCache = errors.New("no cache")

func (c cache) head() string { return fmt.Sprintf("acta score cache %d %s\n", cacheFormat, c.release) }

// read reads the cache. errNoCache where there is none that can be used.
func (c cache) read() (map[string]*history.ScoredCommit, error) {
	data, err := os.ReadFile(c.path)
	if err != nil {
		return nil, errNoCache
	}
	rest, ok := bytes.CutPrefix(data, []byte(c.head()))
	if !ok || len(rest) < 2*sha256.Size {
		return nil, errNoCache
	}
	sum := sha256.Sum256(rest[2*sha256.Size:])
	if hex.EncodeToString(sum[:]) != string(rest[:2*sha256.Size]) {
		return nil, errNoCache
	}
	var all []*history.ScoredCommit
	if err := gob.NewDecoder(bytes.NewReader(rest[2*sha256.Size:])).Decode(&all); err != nil {
		return nil, errNoCache
	}
	known := make(map[string]*history.ScoredCommit, len(all))
	for _, a := range all {
		known[a.Commit] = a
	}
	return known, nil
}

// write replaces the cache by a rename.
func (c cache) write(accounts []*history.ScoredCommit) error {
	content, err := encoded(accounts...)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(c.path), 0o777); err != nil {
		return err
	}
	sum := sha256.Sum256(content)
	head := []byte(c.head() + hex.EncodeToString(sum[:]))
	return maybe.WriteFile(c.path, append(head, content...), 0o644)
}

// encoded are commits as the cache has them: equal where what it keeps of them is.
func encoded(accounts ...*history.ScoredCommit) ([]byte, error) {
	var content bytes.Buffer
	err := gob.NewEncoder(&content).Encode(accounts)
	return content.Bytes(), err
}
