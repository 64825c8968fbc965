package serve

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"
	"path"
	"time"
)

// The library that draws the chart is uPlot 1.6.32, as its npm package has it; its licence lies beside it.
//
//go:embed assets
var assetFiles embed.FS

// mark is a short name for one state of something.
func mark(data string) string {
	sum := sha256.Sum256([]byte(data))
	return hex.EncodeToString(sum[:8])
}

// getAsset answers with a file that pages load.
func (s *Server) getAsset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	data, err := assetFiles.ReadFile(path.Join("assets", name))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Cache-Control", "no-cache") // asked for again each time, and sent again only when it changed
	w.Header().Set("ETag", `"`+mark(string(data))+`"`)
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(data))
}
