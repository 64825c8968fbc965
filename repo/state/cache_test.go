package state

import (
	"os"
	"reflect"
	"slices"
	"testing"
)

func TestOnlyASoundCacheCounts(t *testing.T) {
	dir := t.TempDir()
	c := NewCache(dir, "things", "1")
	var none map[string][]byte
	if c.Read(&none) {
		t.Error("there is something before anything was written")
	}
	want := map[string][]byte{"a": []byte("one"), "b": nil}
	if err := c.Write(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	var got map[string][]byte
	if !c.Read(&got) || !EncodesEqual(got["a"], want["a"]) || len(got) != 2 {
		t.Errorf("%q, want %q", got, want)
	}
	if NewCache(dir, "things", "2").Read(&none) {
		t.Error("another version reads it")
	}
	whole, err := os.ReadFile(c.Path())
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		broken := slices.Clone(whole)
		broken[i] ^= 1
		for _, content := range [][]byte{broken, whole[:i]} {
			if err := os.WriteFile(c.Path(), content, 0o666); err != nil {
				t.Fatal(err)
			}
			if c.Read(&none) {
				t.Fatalf("what is damaged at %d counts", i)
			}
		}
	}
	if !reflect.DeepEqual(none, map[string][]byte(nil)) {
		t.Errorf("what does not count is read: %q", none)
	}
}
