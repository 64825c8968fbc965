package dashboard

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"mime"
	"net/http"
	"path"
	"strings"
)

// The library that draws the chart is uPlot 1.6.32, as its npm package has it; its licence lies beside it.
//
//go:embed assets
var assetFiles embed.FS

// asset is a file that pages load.
type asset struct {
	data       []byte
	kind, mark string
}

// loadAssets reads them all, by name.
func loadAssets() (map[string]asset, error) {
	entries, err := assetFiles.ReadDir("assets")
	if err != nil {
		return nil, err
	}
	all := map[string]asset{}
	for _, e := range entries {
		data, err := assetFiles.ReadFile(path.Join("assets", e.Name()))
		if err != nil {
			return nil, err
		}
		kind := cmp.Or(mime.TypeByExtension(path.Ext(e.Name())), "text/plain; charset=utf-8")
		all[e.Name()] = asset{data, kind, mark(string(data))}
	}
	return all, nil
}

// mark is a short name for one state of something.
func mark(data string) string {
	sum := sha256.Sum256([]byte(data))
	return hex.EncodeToString(sum[:8])
}

func (s *Server) getAsset(w http.ResponseWriter, r *http.Request) {
	a, ok := s.static[r.PathValue("name")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Cache-Control", "no-cache") // asked for again each time, and sent again only when it changed
	w.Header().Set("ETag", `"`+a.mark+`"`)
	if strings.Contains(r.Header.Get("If-None-Match"), a.mark) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Header().Set("Content-Type", a.kind)
	_, _ = w.Write(a.data)
}
