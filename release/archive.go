package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/acta-git/acta/diag"
)

// version is the release that is made: what its executables say that they are.
const version = diag.Release

// epoch is the time of every file in an archive: a build of tomorrow must give the same bytes.
var epoch = time.Date(1985, 10, 26, 8, 15, 0, 0, time.UTC)

// member is a file of an archive.
type member struct {
	name       string
	executable bool
	data       []byte
}

func (m member) mode() os.FileMode {
	if m.executable {
		return 0o755
	}
	return 0o644
}

// archive writes an executable with licence and list of parts: as .tar.xz, which takes a third less than gzip, and for
// Windows as .zip, which opens there by itself.
func (r release) archive(t target, program string) error {
	licence, err := os.ReadFile(filepath.Join(r.top, "LICENSE"))
	if err != nil {
		return err
	}
	executable, err := os.ReadFile(r.executable(t, program))
	if err != nil {
		return err
	}
	parts, err := os.ReadFile(filepath.Join(r.out, name(t, program)+".cdx.json"))
	if err != nil {
		return err
	}
	in := name(t, program) + "/"
	members := []member{
		{in + "LICENSE", false, licence},
		{in + t.file(program), true, executable},
		{in + program + ".cdx.json", false, parts},
	}
	if t.os == "windows" {
		data, err := zipped(members, r.level)
		if err != nil {
			return err
		}
		return r.write(name(t, program)+".zip", data)
	}
	data, err := tarred(members)
	if err != nil {
		return err
	}
	// One thread: with several, xz cuts the data into blocks by how many there are.
	cmd := exec.Command("xz", "--compress", "--stdout", fmt.Sprintf("-%d", r.level), "--threads=1")
	cmd.Stdin = bytes.NewReader(data)
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("xz: %w %s", err, strings.TrimSpace(complaint.String()))
	}
	return r.write(name(t, program)+".tar.xz", out.Bytes())
}

// tarred is a tar archive that says nothing of the machine that it was made on.
func tarred(members []member) ([]byte, error) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, m := range members {
		header := &tar.Header{
			Typeflag: tar.TypeReg, Name: m.name, Size: int64(len(m.data)), Mode: int64(m.mode()), ModTime: epoch,
			Format: tar.FormatUSTAR,
		}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := w.Write(m.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

// gzipped is what npm takes of a tar archive.
func gzipped(data []byte, level int) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, level)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
}

// zipped is a zip archive, of Windows or of a wheel.
func zipped(members []member, level int) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	w.RegisterCompressor(zip.Deflate, func(to io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(to, level)
	})
	for _, m := range members {
		header := &zip.FileHeader{Name: m.name, Method: zip.Deflate, Modified: epoch}
		header.SetMode(m.mode())
		file, err := w.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := file.Write(m.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}
