package policy

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/xrash/smetrics"
)

// maxNameLength bounds how long a name may be that is compared letter by letter.
const maxNameLength = 100

// nearest returns the known name that a misspelled name most likely means: at most one letter in three is wrong. "" if
// none is near.
func nearest(name string, known []string) string {
	best, limit := "", len(name)/3+1
	if len(name) > maxNameLength {
		return best
	}
	for _, k := range known {
		lowerName, lowerKnown := strings.ToLower(name), strings.ToLower(k)
		d := smetrics.WagnerFischer(lowerName, lowerKnown, 1, 1, 1)
		if d == 2 && slices.Equal(slices.Sorted(letters(lowerName)), slices.Sorted(letters(lowerKnown))) {
			d = 1 // two letters are swapped
		}
		if d < limit {
			best, limit = k, d
		}
	}
	return best
}

func letters(s string) iter.Seq[string] { return strings.SplitSeq(s, "") }

// DidYouMean continues a message about an unknown name; "" if no known one is near.
func DidYouMean(name string, known []string) string {
	if suggestion := nearest(name, known); suggestion != "" {
		return fmt.Sprintf("; did you mean %q?", suggestion)
	}
	return ""
}

// unknownKey says where an unknown key belongs, or which key may be meant.
func unknownKey(name string) string {
	message, owners := fmt.Sprintf("unknown key %q", name), map[string][]string{}
	keysOf(reflect.TypeFor[policyFile](), "", owners)
	if under := owners[name]; len(under) > 0 {
		return fmt.Sprintf("%s; it belongs under %s", message, strings.Join(under, " or "))
	}
	return message + DidYouMean(name, slices.Sorted(maps.Keys(owners)))
}

// keysOf adds the keys of a mapping that is read into t, each with its parent keys.
func keysOf(t reflect.Type, path string, into map[string][]string) {
	for slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Slice, reflect.Map}, t.Kind()) {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return
	}
	for f := range t.Fields() {
		key := f.Tag.Get("yaml")
		into[key] = append(into[key], cmp.Or(path, "the top"))
		keysOf(f.Type, strings.TrimPrefix(path+"."+key, "."), into)
	}
}
