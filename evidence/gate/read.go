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

// maxDepth bounds how deep the values of a file may nest.
const maxDepth = 200

// parse reads a configuration in the format of its name; nil if it cannot be read.
func (f *source) parse() *value {
	spaced := bytes.ReplaceAll(f.src, []byte("\t"), []byte("    "))
	switch path.Ext(strings.TrimSuffix(path.Base(f.path), ".dist")) {
	case ".toml":
		var all map[string]any
		if toml.Unmarshal(f.src, &all) != nil {
			return nil
		}
		return f.valueFrom(all, "", 1)
	case ".json", ".jsonc", ".eslintrc", ".nycrc", ".c8rc", ".stylelintrc":
		return readYAML(json.Plain(spaced)) // YAML includes JSON
	case ".yml", ".yaml", ".neon", ".taprc", ".mocharc":
		return readYAML(spaced)
	case ".xml", ".props", ".csproj", ".gradle", ".kts", ".js", ".mjs", ".cjs", ".ts", ".mts", ".rb":
		return f.assignments()
	}
	return f.ini()
}

// assignments reads the numbers, words and truths that a program or XML gives to names, wherever these stand.
func (f *source) assignments() *value {
	root := &value{line: 1, end: 1}
	for i, line := range f.lines {
		for _, m := range patternOf("assignment").In(line).FindAllStringSubmatch(line, -1) {
			root.fields = append(root.fields, field{m[1], i + 1, &value{text: m[2], line: i + 1, end: i + 1}})
		}
	}
	return root
}

// ini reads a file of sections like Python's configparser; a value of several lines is a list.
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
	return f.valueFrom(all, "", 1)
}

// valueFrom converts decoded values, which have no places: they get those of their header or key.
func (f *source) valueFrom(decoded any, name string, line int) *value {
	v := &value{line: line, end: line}
	switch of := decoded.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(of)) {
			inner := strings.TrimPrefix(name+"."+key, ".")
			at := cmp.Or(f.lineOfName(inner, line), f.lineOfName(key, line), line)
			v.fields = append(v.fields, field{key, at, f.valueFrom(of[key], inner, at)})
		}
	case []any:
		v.items = []*value{}
		for i, item := range of {
			if _, table := item.(map[string]any); table {
				line = cmp.Or(f.lineOfName(name, line+min(i, 1)), line)
			} else if at := slices.IndexFunc(f.lines[line-1:min(line+100, len(f.lines))], func(l string) bool {
				return strings.Contains(l, fmt.Sprint(item))
			}); at >= 0 {
				line += at
			}
			v.items = append(v.items, f.valueFrom(item, name, line))
		}
		v.end = line
	default:
		v.text = fmt.Sprint(of)
	}
	return v
}

// lineOfName returns the first line from a line on whose header or key has a name, or a name below it; 0 if there is
// none.
func (f *source) lineOfName(name string, from int) int {
	if f.nameLines == nil {
		f.nameLines = map[string][]int{}
		for i, line := range f.lines {
			name := strings.Trim(line[:strings.IndexAny(line+"=", "]=:")], " \t[\"'")
			for end := min(len(name), maxDepth); end > 0; end = strings.LastIndexByte(name[:end], '.') {
				f.nameLines[name[:end]] = append(f.nameLines[name[:end]], i+1)
			}
		}
	}
	if i, _ := slices.BinarySearch(f.nameLines[name], from); i < len(f.nameLines[name]) {
		return f.nameLines[name][i]
	}
	return 0
}
