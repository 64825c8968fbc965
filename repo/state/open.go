package state

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// MaxFile bounds what is read of one file, in bytes.
const MaxFile = 256 << 20

// Open opens a regular file to be read. Acta opens no file in another way (architecture_test.go): a FIFO, a device or a
// folder in its place is an error at once, however it came there, since reading it may never end.
// What whoever started acta handed over open, as a shell does for <(command), is read as it is.
func Open(path string) (*os.File, error) {
	if path == os.Stdin.Name() || filepath.Dir(path) == "/dev/fd" {
		return os.Open(path)
	}
	return OpenFile(path, os.O_RDONLY, 0)
}

// OpenFile is os.OpenFile for regular files.
func OpenFile(path string, flag int, perm fs.FileMode) (*os.File, error) {
	return opened(path, os.Stat, func(flags int) (*os.File, error) { return os.OpenFile(path, flag|flags, perm) })
}

// OpenIn opens a regular file below a root, which links do not leave.
func OpenIn(root *os.Root, path string) (*os.File, error) {
	return opened(path, root.Stat, func(flags int) (*os.File, error) { return root.OpenFile(path, flags, 0) })
}

// opened looks before it opens, since opening alone can do something to a device, and again behind it, since somebody
// may have put another file there meanwhile.
func opened(
	path string, stat func(string) (fs.FileInfo, error), open func(flags int) (*os.File, error),
) (*os.File, error) {
	if info, err := stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, NotRegular("open", path, info.Mode())
	}
	f, err := open(syscall.O_NONBLOCK)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		if err == nil {
			err = NotRegular("open", path, info.Mode())
		}
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// NotRegular is the error of a file that is not a regular one.
func NotRegular(op, path string, mode fs.FileMode) error {
	kind := "a device"
	switch {
	case mode.IsDir():
		return &fs.PathError{Op: op, Path: path, Err: syscall.EISDIR}
	case mode&fs.ModeSymlink != 0:
		kind = "a link"
	case mode&fs.ModeNamedPipe != 0:
		kind = "a FIFO"
	case mode&fs.ModeSocket != 0:
		kind = "a socket"
	}
	return &fs.PathError{Op: op, Path: path, Err: errors.New("it is " + kind + ", and Acta opens regular files only")}
}

// ReadFile reads a regular file of at most MaxFile bytes.
func ReadFile(path string) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	return ReadAll(f, MaxFile)
}

// ReadFileIn reads a regular file below a folder, which links do not leave.
func ReadFileIn(dir, path string, most int64) ([]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	f, err := OpenIn(root, filepath.FromSlash(path))
	if err != nil {
		return nil, err
	}
	return ReadAll(f, most)
}

// ReadAll reads a file that Open has opened to its end, and closes it. One of more than so many bytes is an error.
func ReadAll(f *os.File, most int64) ([]byte, error) {
	defer func() { _ = f.Close() }() // it was only read
	var data bytes.Buffer
	if info, err := f.Stat(); err == nil {
		data.Grow(int(min(info.Size(), most)) + bytes.MinRead + 1)
	}
	n, err := data.ReadFrom(io.LimitReader(f, most+1))
	if err == nil && n > most {
		err = &fs.PathError{Op: "read", Path: f.Name(), Err: fmt.Errorf("it has more than %d bytes", most)}
	}
	return data.Bytes(), err
}

// ReadEnd reads the end of a regular file, at most so many bytes; whole: that is all of it.
func ReadEnd(path string, most int64) (end []byte, whole bool, err error) {
	f, err := Open(path)
	if err != nil {
		return nil, false, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return nil, false, err
	}
	from := max(0, info.Size()-most)
	end, err = io.ReadAll(io.NewSectionReader(f, from, most))
	return end, from == 0, err
}

// WriteFile is os.WriteFile for regular files.
func WriteFile(path string, data []byte, perm fs.FileMode) error {
	f, err := OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, perm)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}
