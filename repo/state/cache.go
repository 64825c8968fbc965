package state

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/gob"
	"fmt"
	"os"
	"path"
)

// Cache is a file of the local state with values that can be computed again. It may be deleted at any time.
type Cache struct {
	commonDir, name string
	// head names the file and its writer; a file with another head or a wrong sum is ignored.
	head string
}

// NewCache is the cache of a name. Other versions and other executables have caches of their own.
func NewCache(commonDir, name, version string) Cache {
	return Cache{
		commonDir: commonDir, name: path.Join("cache", name),
		head: fmt.Sprintf("acta %s %s %s\n", name, version, executable()),
	}
}

// executable identifies a build: another one may compute other values.
func executable() string {
	name, err := os.Executable()
	if err != nil {
		return ""
	}
	info, err := os.Stat(name)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%d-%d", info.Size(), info.ModTime().UnixNano())
}

// Path is the cache's file.
func (c Cache) Path() string { return Path(c.commonDir, c.name) }

// Read decodes the cached value; false if there is no valid one.
func (c Cache) Read(into any) bool {
	data, err := Read(c.Path())
	rest, ok := bytes.CutPrefix(data, []byte(c.head))
	if err != nil || !ok || len(rest) < sha256.Size {
		return false
	}
	storedSum, content := rest[:sha256.Size], rest[sha256.Size:]
	sum := sha256.Sum256(content)
	return bytes.Equal(sum[:], storedSum) && gob.NewDecoder(bytes.NewReader(content)).Decode(into) == nil
}

// Write replaces the cached value.
func (c Cache) Write(ctx context.Context, from any) error {
	content, err := Encode(from)
	if err != nil {
		return err
	}
	return Change(ctx, c.commonDir, c.name, func([]byte) ([]byte, error) {
		sum := sha256.Sum256(content)
		return append(append([]byte(c.head), sum[:]...), content...), nil
	})
}

// Encode encodes a value as a cache stores it.
func Encode(v any) ([]byte, error) {
	var content bytes.Buffer
	err := gob.NewEncoder(&content).Encode(v)
	return content.Bytes(), err
}

// EncodesEqual reports whether a cache stores two values as the same bytes.
func EncodesEqual(a, b any) bool {
	one, err := Encode(a)
	other, errOther := Encode(b)
	return err == nil && errOther == nil && bytes.Equal(one, other)
}
