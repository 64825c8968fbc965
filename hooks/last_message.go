package hooks

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/parser/excerpt"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/state"
)

// LastMessage is the message of the last commit that was tried in the work tree, refused or not, as git would store it,
// no more than an excerpt of it. git keeps what an editor left, where comments stand last; what came by -m or -F has
// none that git takes for such.
func LastMessage(ctx context.Context, r *repo.Repo) (text []byte, rest excerpt.Rest, path string, err error) {
	g, err := r.Layout(ctx)
	if err != nil {
		return nil, rest, "", err
	}
	path = filepath.Join(g.GitDir, "COMMIT_EDITMSG")
	file, rest, err := readMessage(path)
	if err != nil {
		return nil, rest, path, err
	}
	config, err := r.Config(ctx, keyCleanup, keyCommentChar, keyCommentString)
	if err != nil {
		return nil, rest, path, err
	}
	comment := cmp.Or(commentOf(config), "#")
	above := parser.CutScissors(file, comment)
	last, err := lastLineOf(path)
	if err != nil {
		return nil, rest, path, err
	}
	edited := len(above) < len(file) || strings.HasPrefix(last, comment)
	if rest.Size == 0 {
		return clean(file, config, edited), rest, path, nil
	}
	m, err := cleanFile(path, config, edited)
	return m.text, m.beyond, path, err
}

// lastLineOf is the last line of a file that is not empty.
func lastLineOf(path string) (string, error) {
	end, _, err := state.ReadEnd(path, maxEnd)
	end = bytes.TrimRight(end, "\n")
	return string(end[bytes.LastIndexByte(end, '\n')+1:]), err
}

// maxEnd bounds what is read of a file's end, in bytes: a comment of git's is shorter, and some hundred moves of a ref
// are.
const maxEnd = 64 << 10

// readMessage reads the message in a file.
func readMessage(name string) (text []byte, rest excerpt.Rest, err error) {
	f, err := state.Open(name)
	if err != nil {
		return nil, excerpt.Rest{}, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return excerpt.Read(f)
}
