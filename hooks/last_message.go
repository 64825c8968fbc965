package hooks

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/repo"
)

// LastMessage is the message of the last commit that was tried in the work tree, refused or not, as git would store it. git
// keeps what an editor left, where comments stand last; what came by -m or -F has none that git takes for such.
func LastMessage(ctx context.Context, r *repo.Repo) (message []byte, path string, err error) {
	g, err := r.Geometry(ctx)
	if err != nil {
		return nil, "", err
	}
	path = filepath.Join(g.GitDir, "COMMIT_EDITMSG")
	file, err := os.ReadFile(path)
	if err != nil {
		return nil, path, err
	}
	config, err := r.Config(ctx, keyCleanup, keyCommentChar, keyCommentString)
	if err != nil {
		return nil, path, err
	}
	comment := commentOf(config)
	if comment == "" {
		comment = "#"
	}
	lines := strings.Split(strings.TrimRight(string(file), "\n"), "\n")
	above := parser.CutScissors(file, comment)
	edited := len(above) < len(file) || strings.HasPrefix(lines[len(lines)-1], comment)
	return clean(file, config, edited), path, nil
}
