package hooks

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/acta-git/acta/excerpt"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/repo"
)

// LastMessage is the message of the last commit that was tried in the work tree, refused or not, as git would store it,
// no more than an excerpt of it. git keeps what an editor left, where comments stand last; what came by -m or -F has
// none that git takes for such.
func LastMessage(ctx context.Context, r *repo.Repo) (text []byte, rest excerpt.Rest, path string, err error) {
	g, err := r.Geometry(ctx)
	if err != nil {
		return nil, rest, "", err
	}
	path = filepath.Join(g.GitDir, "COMMIT_EDITMSG")
	file, rest, err := excerpt.ReadFile(path)
	if err != nil {
		return nil, rest, path, err
	}
	config, err := r.Config(ctx, keyCleanup, keyCommentChar, keyCommentString)
	if err != nil {
		return nil, rest, path, err
	}
	comment := commentOf(config)
	if comment == "" {
		comment = "#"
	}
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

// lastLineOf is the last line of a file that is not empty. It is not looked for further back than a comment of git's
// reaches.
func lastLineOf(path string) (line string, err error) {
	const reach = 64 << 10
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	end, err := io.ReadAll(io.NewSectionReader(f, max(0, info.Size()-reach), reach))
	if err != nil {
		return "", err
	}
	end = bytes.TrimRight(end, "\n")
	return string(end[bytes.LastIndexByte(end, '\n')+1:]), nil
}
