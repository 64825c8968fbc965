package evidence

import (
	"bytes"
	"strings"

	"github.com/acta-git/acta/evidence/language"
)

// layout is how the files of a language fall into parts for Narrow.
type layout struct {
	// function, imports and container match the first line of such a part, without its indentation.
	function, imports, container language.Pattern
	// beside matches what may stand in the first column of a function besides: decorators, comments, what closes it.
	beside language.Pattern
	// ends matches a line in the first column that ends a part.
	ends language.Pattern
	// defines matches, as its group, a name that lines which are no function give to something.
	defines language.Pattern
	// tells matches what may say something of functions that stand elsewhere, in what is none; unset: anything may.
	tells language.Pattern
	// opens and closes match lines that open and close blocks, where no brace does: a change that opens or closes one
	// more makes other parts of what stands behind it.
	opens, closes language.Pattern
	// embeds matches what may hold text that looks like anything; a file with such is not divided.
	embeds language.Pattern
	// braced: a body stands between braces. directives: lines of a preprocessor begin with #. arrows: functions are
	// values. parens: each function has round brackets before its body.
	// flat: no function stands in another one.
	braced, directives, arrows, parens, flat bool
	lexed
}

// lexed is how comments and texts of a language begin and end.
type lexed struct {
	// quotes begin a text that the same mark ends; those in spanning may go over several lines, and texts are longer
	// marks that do.
	quotes, spanning string
	texts            []string
	// slashes and hash are comments; nests: one may stand in another.
	slashes, hash, nests bool
	// letters: an apostrophe may be that of a lifetime. rawHash, verbatim and rawTick: r#"…"#, @"…", and `…` without
	// escapes. patterns: a slash may begin a regular expression. heredoc: <<<A begins lines up to one that begins with A.
	letters, rawHash, verbatim, rawTick, patterns, heredoc bool
}

const (
	closing   = `^([)}\]]|\{|//|/\*|\*|@\w|#\[|#\s*(if|el|end|define|undef|pragma)|\w+:$|$)`
	ofBraces  = `^([\w$<>\[\],.?&*:~@ ]+[ *&])?(~?[\w$:]+|operator\W{1,3})\s*(<[^()]*>)?\(`
	ofClasses = `^([\w@"() ]+ )?(class|interface|enum|struct|namespace|object|extension|trait|protocol)\b[^;=]*$`
)

var (
	byBrace = language.Lazy(`^[)}]+[;,)]*\s*(//.*)?$`)
	byEnd   = language.Lazy(`^end\b`)
	// named are functions that are bound to a name, or stand among what is none.
	named = language.Lazy(`\b(?:const|let|var|val|func|fn|def|fun|function|#define)\s+(?:\([^)]*\)\s*)?([\w$]+)|` +
		`(?m:^\s*([\w$]+)\s*=\s*(?:lambda\b|\(|async\b|functools))`)

	classes  = lexed{quotes: `"'`, slashes: true, texts: []string{`"""`}, nests: true}
	scripted = &layout{
		braced: true, arrows: true, ends: byBrace, defines: named,
		function: language.Lazy(`^(export )?(default )?(async )?function\b|^(it|test|specify)(\.\w+)*\(|` +
			`^((static|async|get|set|public|private|protected|override) )*[#*]?[\w$]+\s*(<[^()]*>)?\([^=]*\{\s*$`),
		imports: language.Lazy(`^import\b[^(]*$`),
		container: language.Lazy(`^(export )?(default )?(abstract )?class\b[^;]*$|` +
			`^(describe|context|suite)(\.\w+)*\(.*\{\s*$`),
		beside: language.Lazy(`^([)}\]]|//|/\*|\*|@\w|$)`),
		lexed:  lexed{quotes: "\"'`", spanning: "`", slashes: true, patterns: true},
	}
)

// layouts are those of the languages that Narrow reads, by their names.
var layouts = map[string]*layout{
	"go": {
		braced: true, parens: true, flat: true, ends: byBrace, defines: named, function: language.Lazy(`^func[ (]`),
		imports: language.Lazy(`^(import |")`), container: language.Lazy(`^\x00`),
		beside: language.Lazy(`^([)}]|//[^g+]|//$|\w+:$|$)`),
		lexed:  lexed{quotes: "\"'`", spanning: "`", slashes: true, rawTick: true},
	},
	"python": {
		ends: language.Lazy(`^\x00`), defines: named, function: language.Lazy(`^(async )?def `),
		imports: language.Lazy(`^(import|from) `), container: language.Lazy(`^class .*:\s*(#.*)?$`),
		beside: language.Lazy(`^([)\]}]|@|#|$)`), lexed: lexed{quotes: `"'`, texts: []string{`"""`, `'''`}, hash: true},
	},
	"rust": {
		braced: true, parens: true, ends: byBrace, defines: named,
		function:  language.Lazy(`^(pub(\([^)]*\))? )?((const|async|unsafe|default|extern|"C") )*fn `),
		imports:   language.Lazy(`^(pub(\([^)]*\))? )?use `),
		container: language.Lazy(`^(pub(\([^)]*\))? )?(unsafe )?(mod|impl|trait)\b[^;]*$`),
		tells:     language.Lazy(`\b(mod|impl|trait|macro|macro_rules|cfg|cfg_attr)\b|#!`),
		beside:    language.Lazy(`^([)}]|//|#\[|\{|where\b|$)`),
		lexed:     lexed{quotes: `"'`, spanning: `"`, slashes: true, nests: true, letters: true, rawHash: true},
	},
	"c": {
		braced: true, parens: true, flat: true, directives: true, ends: byBrace, defines: named,
		function: language.Lazy(ofBraces),
		imports:  language.Lazy(`^#\s*include\b`), container: language.Lazy(`^(extern "C"|namespace\b[^;=]*)\s*\{?\s*$`),
		tells:  conditionals,
		beside: language.Lazy(closing), lexed: lexed{quotes: `"'`, slashes: true},
	},
	"cpp": {
		braced: true, parens: true, directives: true, ends: byBrace, defines: named, function: language.Lazy(ofBraces),
		imports:   language.Lazy(`^#\s*include\b`),
		container: language.Lazy(`^(extern "C"|(namespace|class|struct)\b[^;=]*)\s*\{?\s*$`),
		tells: language.Lazy(`(?m)^\s*#\s*(if|el|end)|\b(class|namespace|template|virtual|override|final|operator|public|` +
			`private|protected|using|extern)\b`),
		beside: language.Lazy(`^([)}]|\{|//|/\*|\*|template\b|#\s*(if|el|end|define|undef|pragma)|\w+:$|$)`),
		embeds: language.Lazy(`R"`),
		lexed:  lexed{quotes: `"'`, slashes: true, letters: true},
	},
	"java": {
		braced: true, ends: byBrace, defines: named, function: language.Lazy(ofBraces),
		imports: language.Lazy(`^import `), container: language.Lazy(ofClasses), beside: language.Lazy(closing),
		lexed: lexed{quotes: `"'`, slashes: true, texts: []string{`"""`}},
	},
	"kotlin": {
		braced: true, ends: byBrace, defines: named, function: language.Lazy(`^([\w@]+ )*fun `),
		imports: language.Lazy(`^import `), container: language.Lazy(ofClasses), beside: language.Lazy(closing),
		lexed: classes,
	},
	"csharp": {
		braced: true, directives: true, ends: byBrace, defines: named, function: language.Lazy(ofBraces),
		imports: language.Lazy(`^using [\w.]+;`), container: language.Lazy(ofClasses),
		beside: language.Lazy(`^([)}]|\{|//|/\*|\*|\[|$)`),
		lexed:  lexed{quotes: `"'`, slashes: true, texts: []string{`"""`}, verbatim: true},
	},
	"swift": {
		braced: true, directives: true, ends: byBrace, defines: named, function: language.Lazy(`^([\w@]+ )*func `),
		imports: language.Lazy(`^import `), container: language.Lazy(ofClasses), beside: language.Lazy(closing),
		lexed: lexed{quotes: `"`, slashes: true, texts: []string{`"""`}, nests: true},
	},
	"javascript": scripted, "typescript": scripted, "tsx": scripted,
	"ruby": {
		ends: byEnd, defines: named,
		function:  language.Lazy(`^(def |(it|specify|example|scenario|test)\b.*\bdo( \|.*\|)?\s*$)`),
		imports:   language.Lazy(`^require(_relative)? `),
		container: language.Lazy(`^(class|module) [^;]*$|^(RSpec\.)?(describe|context|feature)\b.*\bdo\s*$`),
		opens: language.Lazy(`(?m)^\s*(?:def|class|module|if|unless|case|while|until|for|begin)\b` +
			`|\bdo(?:\s*\|[^|\n]*\|)?\s*$`),
		closes: language.Lazy(`(?m)^\s*end\b`),
		beside: language.Lazy(`^(end\b|#|$)`), embeds: language.Lazy(`(?m)^(__END__|=begin)`),
		lexed: lexed{quotes: "\"'", hash: true, patterns: true},
	},
	"php": {
		braced: true, ends: byBrace, defines: named,
		function:  language.Lazy(`^((abstract|final|public|protected|private|static) )*function `),
		imports:   language.Lazy(`^use [\w\\]+;`),
		container: language.Lazy(`^((abstract|final|readonly) )*(class|interface|trait|enum) [^;{]*\{?\s*$`),
		beside:    language.Lazy(closing), embeds: language.Lazy(`\?>\s*\S`),
		lexed: lexed{quotes: "\"'`", spanning: `"'`, slashes: true, heredoc: true},
	},
}

// block matches lines that begin like functions of brace languages and are none.
var block = language.Lazy(`^(if|for|while|switch|do|else|try|catch|return|throw|new|delete|await|yield|typedef|using|` +
	`union|struct|class|enum|namespace|interface|extern|define|static_assert|module|describe|context|suite|before\w*|` +
	`after\w*|setup|teardown|when|synchronized|lock|init)\b|;$`)

// calledAs is the name of a function as its first line has it.
var calledAs = language.Lazy(`\b(?:func(?:\s*\([^)]*\))?|fn|def|function\*?|fun)\s+(?:self\.|&)?([\w$?!]+)|` +
	`([\w$]+)\s*(?:<[^()]*>)?\(`)

// titles are what stands before the title of a test, where the name of a function stands.
var titles = language.Lazy(`^(it|test|specify|example|scenario|[A-Z][A-Z_0-9]*)$`)

// kindOf says what a part is, by the lines in its first column, and how a function is called.
func (d *divided) kindOf(s stretch, column int) (partKind, string) {
	found, name, next, decorated := otherPart, "", s.start, false
	for line := range bytes.Lines(d.src[s.start:s.end]) {
		row, at := bytes.TrimSpace(line), next
		next += len(line)
		first := indentOf(line) == column
		if len(row) == 0 || !first && found != otherPart || d.inside[at] {
			continue
		}
		switch {
		case !first: // above a definition only more of a comment or of a decorator stands further right
			if !decorated && !d.beside.Match(row) {
				return otherPart, ""
			}
		case d.imports.Match(row) && (found == otherPart || found == importPart):
			found = importPart
		case d.container.Match(row) && found == otherPart:
			found = containerPart
		case found == otherPart && d.function.Match(row) && !block.Match(row):
			found, name = functionPart, nameIn(row)
		case !d.beside.Match(row):
			return otherPart, ""
		case row[0] != ')' && row[0] != ']' && row[0] != '}':
			decorated = row[0] == '@' || bytes.HasPrefix(row, []byte("#["))
		}
	}
	if found == functionPart && d.braced && bytes.IndexByte(d.src[s.start:s.end], '{') < 0 {
		return otherPart, "" // a declaration, or the call of a macro
	}
	return found, name
}

// holdsMore reports whether a function may have another one in it, or a class.
func (l *layout) holdsMore(text []byte) bool {
	headers := 0
	for line := range bytes.Lines(text) {
		row := bytes.TrimSpace(line)
		if l.arrows && (bytes.Contains(row, []byte("=>")) || bytes.Contains(row, []byte("function"))) {
			headers++
		}
		if l.container.Match(row) || l.function.Match(row) && !block.Match(row) {
			headers++
		}
		if headers > 1 {
			return true
		}
	}
	return false
}

// onlyComments reports whether every line of a part is blank or a comment.
func (l *layout) onlyComments(text []byte) bool {
	for line := range bytes.Lines(text) {
		if row := bytes.TrimSpace(line); len(row) > 0 && (!l.beside.Match(row) || strings.IndexByte("/*#", row[0]) < 0) {
			return false
		}
	}
	return true
}

func nameIn(row []byte) string {
	m := calledAs.InBytes(row).FindSubmatch(row)
	switch {
	case m == nil || titles.Match(m[2]):
		return ""
	case len(m[1]) > 0:
		return string(m[1])
	}
	return string(m[2])
}

// bodyOf is the stretch of a container between its first line, with what stands above it, and its last; head is not
// before tail where it has none.
func (d *divided) bodyOf(s stretch, column int) (head, tail int) {
	at, found := s.start, false
	for line := range bytes.Lines(d.src[s.start:s.end]) {
		start, row := at, bytes.TrimSpace(line)
		at += len(line)
		if len(row) == 0 || !d.isFirst(line, start, column) {
			continue
		}
		found = found || d.container.Match(row)
		if found && (!d.braced || row[len(row)-1] == '{') { // a header may go over several lines
			head = at
			break
		}
	}
	if head == 0 {
		return 0, 0
	}
	tail = s.end
	for tail > head {
		from := head + bytes.LastIndexByte(bytes.TrimRight(d.src[head:tail], "\r\n"), '\n') + 1
		line := d.src[from:tail]
		if len(bytes.TrimSpace(line)) > 0 && indentOf(line) > column {
			break
		}
		tail = from
	}
	return head, tail
}

// open is how many blocks more a version opens than it closes.
func (l *layout) open(src []byte) int {
	return len(l.opens.FindAllIndex(src)) - len(l.closes.FindAllIndex(src))
}
