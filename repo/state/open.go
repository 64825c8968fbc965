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

// MaxFile is the most bytes that are read of one file.
const MaxFile = 256 << 20

// Open opens a regular file for reading. Acta opens no file in another way (architecture_test.go): a FIFO, a device or
// a folder is an error at once, since reading it may never end. The exception is a file that the caller's shell has
// opened, as for <(command).
func Open(path string) (*os.File, error) {
	if path == os.Stdin.Name() || filepath.Dir(path) == "/dev/fd" {
		return os.Open(path)
	}
	return OpenFile(path, os.O_RDONLY, 0)
}

// OpenFile is os.OpenFile for regular files.
func OpenFile(path string, flag int, perm fs.FileMode) (*os.File, error) {
	return openRegular(path, os.Stat, func(flags int) (*os.File, error) { return os.OpenFile(path, flag|flags, perm) })
}

// OpenIn opens a regular file below a root; links cannot leave it.
func OpenIn(root *os.Root, path string) (*os.File, error) {
	return openRegular(path, root.Stat, func(flags int) (*os.File, error) { return root.OpenFile(path, flags, 0) })
}

// openRegular checks the file before it opens it, since opening can change a device, and again afterwards, since the
// file may have been replaced.
func openRegular(
	path string, stat func(string) (fs.FileInfo, error), open func(flags int) (*os.File, error),
) (*os.File, error) {
	if info, err := stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, NotRegularError("open", path, info.Mode())
	}
	f, err := open(syscall.O_NONBLOCK)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		if err == nil {
			err = NotRegularError("open", path, info.Mode())
		}
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// NotRegularError is the error about a file that is not regular.
func NotRegularError(op, path string, mode fs.FileMode) error {
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
func ReadFile(path string) ([]byte, error) { return ReadFileUpTo(path, MaxFile) }

// ReadFileUpTo reads a regular file of at most so many bytes.
func ReadFileUpTo(path string, limit int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	return ReadAll(f, limit)
}

// ReadFileIn reads a regular file below a folder; links cannot leave it.
func ReadFileIn(dir, path string, limit int64) ([]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	f, err := OpenIn(root, filepath.FromSlash(path))
	if err != nil {
		return nil, err
	}
	return ReadAll(f, limit)
}

// ReadAll reads to the end a file that Open has opened, and closes it. More bytes than the limit are an error.
func ReadAll(f *os.File, limit int64) ([]byte, error) {
	defer func() { _ = f.Close() }() // it was only read
	var data bytes.Buffer
	if info, err := f.Stat(); err == nil {
		data.Grow(int(min(info.Size(), limit)) + bytes.MinRead + 1)
	}
	n, err := data.ReadFrom(io.LimitReader(f, limit+1))
	if err == nil && n > limit {
		err = &fs.PathError{Op: "read", Path: f.Name(), Err: fmt.Errorf("it has more than %d bytes", limit)}
	}
	return data.Bytes(), err
}

// ReadEnd reads the last whole lines of a regular file, at most so many bytes.
func ReadEnd(path string, limit int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	// One byte more shows whether the first line is whole.
	end, err := io.ReadAll(io.NewSectionReader(f, max(0, info.Size()-limit-1), limit+1))
	if int64(len(end)) > limit {
		_, end, _ = bytes.Cut(end, []byte("\n"))
	}
	return end, err
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
