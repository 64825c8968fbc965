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

// Cache is a file of the local state that keeps what can be found again. It may be deleted at any time.
type Cache struct {
	commonDir, name string
	// head says what the file is and who wrote it: one with another head, or whose sum is wrong, counts for nothing.
	head string
}

// NewCache is the cache of a name. Another version, and another executable of the same version, has another one.
func NewCache(commonDir, name, version string) Cache {
	return Cache{
		commonDir: commonDir, name: path.Join("cache", name),
		head: fmt.Sprintf("acta %s %s %s\n", name, version, executable()),
	}
}

// executable tells builds apart: one that was built again may find something else.
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

// Path is where the cache stands.
func (c Cache) Path() string { return Path(c.commonDir, c.name) }

// Read decodes what is kept; false where nothing is kept that counts.
func (c Cache) Read(into any) bool {
	data, err := Read(c.Path())
	rest, ok := bytes.CutPrefix(data, []byte(c.head))
	if err != nil || !ok || len(rest) < sha256.Size {
		return false
	}
	kept, content := rest[:sha256.Size], rest[sha256.Size:]
	sum := sha256.Sum256(content)
	return bytes.Equal(sum[:], kept) && gob.NewDecoder(bytes.NewReader(content)).Decode(into) == nil
}

// Write replaces what is kept.
func (c Cache) Write(ctx context.Context, from any) error {
	content, err := Encoded(from)
	if err != nil {
		return err
	}
	return Change(ctx, c.commonDir, c.name, func([]byte) ([]byte, error) {
		sum := sha256.Sum256(content)
		return append(append([]byte(c.head), sum[:]...), content...), nil
	})
}

// Encoded is a value as a cache has it.
func Encoded(v any) ([]byte, error) {
	var content bytes.Buffer
	err := gob.NewEncoder(&content).Encode(v)
	return content.Bytes(), err
}

// SameCached reports whether a cache keeps the same of two values.
func SameCached(a, b any) bool {
	one, err := Encoded(a)
	other, errOther := Encoded(b)
	return err == nil && errOther == nil && bytes.Equal(one, other)
}
