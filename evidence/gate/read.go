package gate

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"gopkg.in/ini.v1"

	"github.com/acta-git/acta/evidence/lang/json"
)

// maxDeep bounds how deep the values of a file may nest.
const maxDeep = 200

// tree reads a configuration as its name says; nil where that cannot be read.
func (f *source) tree() *value {
	spaced := bytes.ReplaceAll(f.src, []byte("\t"), []byte("    "))
	switch path.Ext(strings.TrimSuffix(path.Base(f.path), ".dist")) {
	case ".toml":
		var all map[string]any
		if toml.Unmarshal(f.src, &all) != nil {
			return nil
		}
		return f.decoded(all, "", 1)
	case ".json", ".jsonc", ".eslintrc", ".nycrc", ".c8rc", ".stylelintrc":
		return readYAML(json.Plain(spaced)) // which holds JSON
	case ".yml", ".yaml", ".neon", ".taprc", ".mocharc":
		return readYAML(spaced)
	}
	return f.ini()
}

// ini reads a file of sections as Python's configparser does; a value of several lines is a list.
func (f *source) ini() *value {
	file, err := ini.LoadSources(ini.LoadOptions{AllowPythonMultilineValues: true, SkipUnrecognizableLines: true,
		SpaceBeforeInlineComment: true, IgnoreContinuation: true, PreserveSurroundedQuote: true}, f.src)
	if err != nil {
		return nil
	}
	all := map[string]any{}
	for _, section := range file.Sections() {
		table := map[string]any{}
		for _, key := range section.Keys() {
			var items []any
			for text := range strings.Lines(key.Value()) {
				if text, _, _ = strings.Cut(strings.TrimSpace(text), " #"); text != "" && text[0] != '#' {
					items = append(items, text)
				}
			}
			if table[key.Name()] = key.Value(); len(items) > 1 {
				table[key.Name()] = items
			}
		}
		if all[section.Name()] = table; section.Name() == ini.DefaultSection {
			maps.Copy(all, table)
		}
	}
	return f.decoded(all, "", 1)
}

// decoded makes a value of what a library decoded, which tells no places: they are where a head or a key stands.
func (f *source) decoded(of any, name string, line int) *value {
	v := &value{line: line, end: line}
	switch of := of.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(of)) {
			inner := strings.TrimPrefix(name+"."+key, ".")
			at := cmp.Or(f.named(inner, line), f.named(key, line), line)
			v.fields = append(v.fields, field{key, at, f.decoded(of[key], inner, at)})
		}
	case []any:
		v.items = []*value{}
		for i, item := range of {
			if _, table := item.(map[string]any); table {
				line = cmp.Or(f.named(name, line+min(i, 1)), line)
			} else if at := slices.IndexFunc(f.lines[line-1:min(line+100, len(f.lines))], func(l string) bool {
				return strings.Contains(l, fmt.Sprint(item))
			}); at >= 0 {
				line += at
			}
			v.items = append(v.items, f.decoded(item, name, line))
		}
		v.end = line
	default:
		v.text = fmt.Sprint(of)
	}
	return v
}

// named is the first line from another on in which a head or a key has a name, or one below it; 0 for none.
func (f *source) named(name string, from int) int {
	if f.names == nil {
		f.names = map[string][]int{}
		for i, line := range f.lines {
			name := strings.Trim(line[:strings.IndexAny(line+"=", "]=:")], " \t[\"'")
			for end := min(len(name), maxDeep); end > 0; end = strings.LastIndexByte(name[:end], '.') {
				f.names[name[:end]] = append(f.names[name[:end]], i+1)
			}
		}
	}
	if i, _ := slices.BinarySearch(f.names[name], from); i < len(f.names[name]) {
		return f.names[name][i]
	}
	return 0
}
