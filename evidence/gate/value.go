package gate

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang/json"
	message "github.com/acta-git/acta/parser"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/pelletier/go-toml/v2"
	"gopkg.in/ini.v1"
)

// value is a value of a configuration file in any format: a mapping, a list or a text.
type value struct {
	// text is a scalar without quotes; "" for a mapping or a list.
	text   string
	fields []field
	items  []*value
	// line and end count from 1. isBlock: the text begins in the line after line.
	line, end int
	isBlock   bool
}

type field struct {
	key  string
	line int
	*value
}

func (v *value) at(keys ...string) *value {
	for _, key := range keys {
		i := slices.IndexFunc(v.all(), func(f field) bool { return f.key == key })
		if i < 0 {
			return nil
		}
		v = v.fields[i].value
	}
	return v
}

func (v *value) all() []field {
	if v == nil {
		return nil
	}
	return v.fields
}

func (v *value) str(keys ...string) string {
	if v = v.at(keys...); v != nil {
		return strings.TrimSpace(v.text)
	}
	return ""
}

// list returns the texts at a path: the items of a list, or a single text.
func (v *value) list(keys ...string) []*value {
	switch v = v.at(keys...); {
	case v == nil:
		return nil
	case v.items == nil && v.text != "":
		return []*value{v}
	}
	return v.items
}

func (v *value) texts() (all []string) {
	for _, item := range v.list() {
		all = append(all, item.text)
	}
	return all
}

// source is a file of a tree with the checks that are read from it.
type source struct {
	path      string
	src       []byte
	lines     []string
	nameLines map[string][]int // lines by the name before = or in brackets, made on first use
	checks    []*check
}

func (f *source) place(first, last int) Place {
	last = max(first, last)
	from := min(max(first, 1), len(f.lines)) - 1
	text := strings.Join(f.lines[from:min(last, len(f.lines), from+4)], "\n")
	return Place{Path: f.path, Line: first, EndLine: last, Text: strings.ReplaceAll(text, "\r", "")}
}

func readYAML(src []byte) (root *value) {
	if _, err := message.CheckYAML(src); err != nil {
		return nil
	}
	defer func() {
		if recover() != nil { // the library panics on some broken files
			root = nil
		}
	}()
	text := strings.ReplaceAll(string(src), "\r\n", "\n")
	file, err := parser.ParseBytes([]byte(text), 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return nil
	}
	for _, doc := range file.Docs {
		if doc.Body != nil {
			return valueOf(doc.Body)
		}
	}
	return nil
}

// valueOf converts the library's nodes. An alias has no value: its anchor is read in its place.
func valueOf(n ast.Node) *value {
	v := &value{line: lineOf(n)}
	v.end = v.line
	switch n := n.(type) {
	case ast.MapNode:
		for pairs := n.MapRange(); pairs.Next(); {
			inner := valueOf(pairs.Value())
			k := field{pairs.Key().GetToken().Value, lineOf(pairs.Key()), inner}
			v.fields, v.end = append(v.fields, k), max(k.line, inner.end)
			v.line = v.fields[0].line
		}
	case *ast.SequenceNode:
		v.items = []*value{}
		for _, item := range n.Values {
			v.items = append(v.items, valueOf(item))
			v.end = v.items[len(v.items)-1].end
		}
	case *ast.AnchorNode:
		return valueOf(n.Value)
	case *ast.TagNode:
		if n.Value != nil {
			return valueOf(n.Value)
		}
	case *ast.LiteralNode:
		v.text, v.isBlock = n.Value.Value, true
		v.end = v.line + strings.Count(strings.TrimRight(v.text, "\n"), "\n") + 1
	case *ast.NullNode:
	case ast.ScalarNode:
		v.text = n.GetToken().Value
	}
	return v
}

func lineOf(n ast.Node) int {
	if t := n.GetToken(); t != nil && t.Position != nil {
		return t.Position.Line
	}
	return 0
}

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
