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

	"github.com/acta-git/acta/diag"
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
const cacheFormat = 4

// errNoCache is a cache that is not there, or that cannot be used.
var errNoCache = errors.New("no cache")

// kept is the cache's content: the claims of all commits, one list a field, texts by number.
// Of 100,000 claims it is read in a tenth of the time that a list of claims takes.
type kept struct {
	Texts                       []string
	Commits                     []string
	Author, Address             []int32 // texts
	Picks, Claims               []int32 // count those of the commit
	Picked                      []int32 // texts
	Actor, Unit, Item, Evidence []int32 // texts
	Reason                      []int32
	Verdict, Flags              []byte
	KeyCount                    []int32
	Keys                        []string
}

const (
	flagContradiction = 1 << iota
	flagOptional
)

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
	var k kept
	if err := gob.NewDecoder(bytes.NewReader(rest[2*sha256.Size:])).Decode(&k); err != nil {
		return nil, errNoCache
	}
	accounts, ok := k.accounts()
	if !ok {
		return nil, errNoCache
	}
	return accounts, nil
}

// write replaces the cache by a rename.
func (c cache) write(accounts []*history.ScoredCommit) error {
	var content bytes.Buffer
	if err := gob.NewEncoder(&content).Encode(keep(accounts)); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(c.path), 0o777); err != nil {
		return err
	}
	sum := sha256.Sum256(content.Bytes())
	head := []byte(c.head() + hex.EncodeToString(sum[:]))
	return maybe.WriteFile(c.path, append(head, content.Bytes()...), 0o644)
}

func keep(accounts []*history.ScoredCommit) *kept {
	k, known := &kept{}, map[string]int32{}
	text := func(s string) int32 {
		n, ok := known[s]
		if !ok {
			n = int32(len(k.Texts))
			k.Texts, known[s] = append(k.Texts, s), n
		}
		return n
	}
	for _, a := range accounts {
		k.Commits = append(k.Commits, a.Commit)
		k.Author, k.Address = append(k.Author, text(a.Author)), append(k.Address, text(a.Address))
		k.Picks, k.Claims = append(k.Picks, int32(len(a.Picked))), append(k.Claims, int32(len(a.Claims)))
		for _, p := range a.Picked {
			k.Picked = append(k.Picked, text(p))
		}
		for _, c := range a.Claims {
			k.Actor, k.Unit, k.Item = append(k.Actor, text(c.Actor)), append(k.Unit, text(c.Unit)), append(k.Item, text(c.Item))
			k.Evidence, k.Reason = append(k.Evidence, text(c.Evidence)), append(k.Reason, text(c.Reason))
			flags := byte(0)
			if c.Contradiction {
				flags |= flagContradiction
			}
			if c.Optional {
				flags |= flagOptional
			}
			k.Verdict, k.Flags = append(k.Verdict, byte(c.Verdict)), append(k.Flags, flags)
			k.KeyCount, k.Keys = append(k.KeyCount, int32(len(c.Keys))), append(k.Keys, c.Keys...)
		}
	}
	return k
}

// accounts is what keep was given; ok is false where the lists do not fit together.
func (k *kept) accounts() (accounts map[string]*history.ScoredCommit, ok bool) {
	defer func() { ok = recover() == nil && ok }() // a list that is too short
	accounts = make(map[string]*history.ScoredCommit, len(k.Commits))
	claims := make([]history.ScoredClaim, len(k.Verdict))
	for i := range claims {
		c := &claims[i]
		c.Unit, c.Item, c.Evidence, c.Reason = k.Texts[k.Unit[i]], k.Texts[k.Item[i]], k.Texts[k.Evidence[i]],
			k.Texts[k.Reason[i]]
		c.Actor, c.Verdict = k.Texts[k.Actor[i]], diag.Verdict(k.Verdict[i])
		c.Contradiction, c.Optional = k.Flags[i]&flagContradiction != 0, k.Flags[i]&flagOptional != 0
		n := k.KeyCount[i]
		c.Keys, k.Keys = k.Keys[:n:n], k.Keys[n:]
	}
	all := make([]history.ScoredCommit, len(k.Commits))
	for i, id := range k.Commits {
		a := &all[i]
		a.Commit, a.Author, a.Address = id, k.Texts[k.Author[i]], k.Texts[k.Address[i]]
		for _, p := range k.Picked[:k.Picks[i]] {
			a.Picked = append(a.Picked, k.Texts[p])
		}
		k.Picked = k.Picked[k.Picks[i]:]
		n := k.Claims[i]
		a.Claims, claims = claims[:n:n], claims[n:]
		accounts[id] = a
	}
	return accounts, true
}
