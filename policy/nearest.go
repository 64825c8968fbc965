package policy

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
	"github.com/xrash/smetrics"
)

// maxNamed bounds how long a name may be that is compared letter by letter.
const maxNamed = 100

// nearest returns the known name that a name is most likely a slip of: at most one letter in three is wrong. "" where
// none is near.
func nearest(name string, known []string) string {
	best, least := "", len(name)/3+1
	if len(name) > maxNamed {
		return best
	}
	for _, k := range known {
		if d := smetrics.WagnerFischer(strings.ToLower(name), strings.ToLower(k), 1, 1, 1); d < least {
			best, least = k, d
		}
	}
	return best
}

// DidYouMean continues a message about an unknown name; "" where no known one is near.
func DidYouMean(name string, known []string) string {
	if near := nearest(name, known); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}

// unknownKey says of a key that nothing reads what the keys are in its place.
func (r *reader) unknownKey(at *token.Token) string {
	name := at.Value
	said := fmt.Sprintf("unknown key %q", name)
	var here []string
	for _, doc := range r.tree.Docs {
		here = append(here, keysAround(doc.Body, reflect.TypeFor[file](), at.Position.Offset)...)
	}
	if near := DidYouMean(name, here); near != "" {
		return said + near
	}
	if owners := ownersOf(reflect.TypeFor[file](), "", name); len(owners) > 0 {
		return fmt.Sprintf("%s; it belongs under %s", said, strings.Join(owners, " or "))
	}
	return fmt.Sprintf("%s; the keys allowed here are %s", said, strings.Join(here, ", "))
}

// keysAround are the keys that the mapping of t knows in which a key stands at an offset; nil where that is not in the
// node.
func keysAround(node ast.Node, t reflect.Type, offset int) []string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch n := node.(type) {
	case *ast.SequenceNode:
		if t.Kind() != reflect.Slice {
			return nil
		}
		for _, v := range n.Values {
			if found := keysAround(v, t.Elem(), offset); found != nil {
				return found
			}
		}
	case ast.MapNode:
		for entries := n.MapRange(); entries.Next(); {
			key := entries.Key().GetToken()
			if key.Position.Offset == offset {
				return keysOf(t)
			}
			if within := typeUnder(t, key.Value); within != nil {
				if found := keysAround(entries.Value(), within, offset); found != nil {
					return found
				}
			}
		}
	}
	return nil
}

// typeUnder is the type of the value that a key has in t; nil for none.
func typeUnder(t reflect.Type, key string) reflect.Type {
	switch t.Kind() {
	case reflect.Map:
		return t.Elem()
	case reflect.Struct:
		for f := range t.Fields() {
			if f.Tag.Get("yaml") == key {
				return f.Type
			}
		}
	}
	return nil
}

// keysOf are the keys of a mapping that is read into t, in the order of the documentation.
func keysOf(t reflect.Type) []string {
	var keys []string
	if t.Kind() == reflect.Struct {
		for f := range t.Fields() {
			keys = append(keys, f.Tag.Get("yaml"))
		}
	}
	return keys
}

// ownersOf are the keys in whose mappings a key is known.
func ownersOf(t reflect.Type, path, key string) []string {
	for slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Slice, reflect.Map}, t.Kind()) {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	var owners []string
	if path != "" && slices.Contains(keysOf(t), key) {
		owners = append(owners, path)
	}
	for f := range t.Fields() {
		owners = append(owners, ownersOf(f.Type, strings.TrimPrefix(path+"."+f.Tag.Get("yaml"), "."), key)...)
	}
	return owners
}
