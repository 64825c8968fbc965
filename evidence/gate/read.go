package gate

import (
	"bytes"
	"fmt"
	"maps"
	"path"
	"slices"
	"sort"
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
		return f.decoded(all)
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
	return f.decoded(all)
}

// decoded makes a value of what a library decoded, which tells no places: they are where a head or a key stands.
func (f *source) decoded(all map[string]any) *value {
	d := decoder{f: f, places: map[string][]int{}}
	section := ""
	for i, line := range f.lines {
		name := strings.TrimSpace(strings.NewReplacer(`"`, "", "'", "").Replace(line))
		if strings.HasPrefix(name, "[") {
			section = strings.Trim(name, "[] ")
			for end := len(section); end > 0; end = strings.LastIndexByte(section[:end], '.') {
				d.places[section[:end]] = append(d.places[section[:end]], i+1)
			}
		} else if end := strings.IndexAny(name, "=:"); end > 0 {
			name = strings.TrimPrefix(section+"."+strings.TrimSpace(name[:end]), ".")
			d.places[name] = append(d.places[name], i+1)
		}
	}
	return d.value(all, "", 1)
}

type decoder struct {
	f      *source
	places map[string][]int // lines by the dotted names of tables and keys
}

// find is the first line from another on in which a name stands; that line where there is none.
func (d *decoder) find(name string, from int) int {
	return append(d.places[name], from)[sort.SearchInts(d.places[name], from)]
}

func (d *decoder) value(of any, name string, line int) *value {
	v := &value{line: line, end: line}
	switch of := of.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(of)) {
			inner := strings.TrimPrefix(name+"."+key, ".")
			at := d.find(inner, line)
			v.fields = append(v.fields, field{key, at, d.value(of[key], inner, at)})
		}
	case []any:
		v.items = []*value{}
		for i, item := range of {
			if _, table := item.(map[string]any); table && i > 0 {
				line = d.find(name, line+1)
			} else if at := slices.IndexFunc(d.f.lines[line-1:min(line+100, len(d.f.lines))], func(l string) bool {
				return strings.Contains(l, fmt.Sprint(item))
			}); at >= 0 {
				line += at
			}
			v.items = append(v.items, d.value(item, name, line))
		}
		v.end = line
	default:
		v.text = fmt.Sprint(of)
	}
	return v
}
