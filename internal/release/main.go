// Command release makes what GoReleaser does not: of the executables that it has built npm's packages and wheels, and
// acta as a plugin of agents' hosts.
//
//	go run ./internal/release DIST
//
// DIST is GoReleaser's folder. The packages are written there, and SHA256SUMS gets a line for each.
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/acta-git/acta/hooks/host"
	"github.com/acta-git/acta/report"
)

const version = report.Release

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "release: name GoReleaser's folder, dist")
		os.Exit(2)
	}
	if err := (&release{dist: os.Args[1], level: gzip.BestCompression}).run(); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// platform is where an executable runs: by Go's names, by node's (process.platform, process.arch), and by the tags of a
// wheel. A static executable needs no C library of the machine.
type platform struct {
	goos, goarch, npmOS, npmCPU string
	wheelTags                   []string
}

var platforms = []platform{
	{"linux", "amd64", "linux", "x64", []string{"manylinux_2_17_x86_64", "musllinux_1_1_x86_64"}},
	{"linux", "arm64", "linux", "arm64", []string{"manylinux_2_17_aarch64", "musllinux_1_1_aarch64"}},
	{"windows", "amd64", "win32", "x64", []string{"win_amd64"}},
}

type release struct {
	dist  string
	level int // from 1, the quickest, to 9
	sums  strings.Builder
}

// built is an entry of the list that GoReleaser writes.
type built struct {
	Path, Goos, Goarch, Type string
	Extra                    struct{ Binary, Ext string }
}

func (r *release) run() error {
	data, err := os.ReadFile(filepath.Join(r.dist, "artifacts.json"))
	var all []built
	if err == nil {
		err = json.Unmarshal(data, &all)
	}
	if err != nil {
		return err
	}
	launched := map[string]bool{}
	for _, b := range all {
		i := slices.IndexFunc(platforms, func(p platform) bool { return p.goos == b.Goos && p.goarch == b.Goarch })
		if b.Type != "Binary" || i < 0 {
			continue
		}
		data, err := os.ReadFile(filepath.Join(r.dist, "..", b.Path)) // dist/…
		program := b.Extra.Binary
		if err == nil && !launched[program] {
			launched[program], err = true, r.npmLauncher(program)
		}
		m := member{program + b.Extra.Ext, 0o755, data}
		if err == nil {
			err = errors.Join(r.npmPlatform(platforms[i], program, m), r.wheel(platforms[i], program, m))
		}
		if err != nil {
			return err
		}
	}
	if err := r.plugins(); err != nil {
		return err
	}
	name := filepath.Join(r.dist, "SHA256SUMS")
	sums, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(sums, r.sums.String()...), 0o666)
}

// plugins writes an archive for each host that takes acta as a plugin.
func (r *release) plugins() error {
	for _, h := range host.Hosts() {
		files, err := host.Plugin(h, version)
		if err != nil {
			continue // it takes none
		}
		var members []member
		for _, f := range files {
			members = append(members, member{"acta/" + f.Path, 0o644, f.Data})
		}
		data, err := r.tarred(members...)
		if err != nil {
			return err
		}
		if err := r.write(fmt.Sprintf("acta-%s-plugin-%s.tar.gz", version, h.ID()), data); err != nil {
			return err
		}
	}
	return nil
}

func (r *release) write(name string, data []byte) error {
	fmt.Fprintf(&r.sums, "%x  %s\n", sha256.Sum256(data), name)
	return os.WriteFile(filepath.Join(r.dist, name), data, 0o666)
}

// member is a file in a package.
type member struct {
	name string
	mode os.FileMode
	data []byte
}

// epoch is the time of every file in a package, the one that npm gives.
var epoch = time.Date(1985, 10, 26, 8, 15, 0, 0, time.UTC)

func (r *release) tarred(members ...member) ([]byte, error) {
	var out bytes.Buffer
	packed, err := gzip.NewWriterLevel(&out, r.level)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(packed)
	for _, m := range members {
		err = errors.Join(err, w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: m.name, Size: int64(len(m.data)),
			Mode: int64(m.mode), ModTime: epoch, Format: tar.FormatUSTAR}))
		_, wrong := w.Write(m.data)
		err = errors.Join(err, wrong)
	}
	err = errors.Join(err, w.Close(), packed.Close())
	return out.Bytes(), err
}

func (r *release) zipped(members []member) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	w.RegisterCompressor(zip.Deflate, func(to io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(to, r.level)
	})
	for _, m := range members {
		header := &zip.FileHeader{Name: m.name, Method: zip.Deflate, Modified: epoch}
		header.SetMode(m.mode)
		file, err := w.CreateHeader(header)
		if err == nil {
			_, err = file.Write(m.data)
		}
		if err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}
