package worklog

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"
)

//go:embed secrets.txt
var secretsText string

type secretForm struct {
	kind  string
	hints []string
	expr  string
}

var secretForms = sync.OnceValue(func() (all []secretForm) {
	for line := range strings.Lines(secretsText) {
		if columns := strings.SplitN(strings.TrimSpace(line), " | ", 3); len(columns) == 3 {
			all = append(all, secretForm{columns[0], strings.Split(columns[1], ", "), columns[2]})
		}
	}
	names := []string{"pass", "secret", "token", "key", "credential", "pwd"}
	return append(all, secretForm{"secret", names, option}, secretForm{"secret", names, assignment})
})

const (
	// secretName matches names of secrets: DB_PASSWORD, aws_secret_access_key; but not max_tokens.
	secretName = `(?:[\w-]*[_-])?(?:pass(?:word|wd|phrase|code)|\w+[_-]pwd` +
		`|secret(?:[_-]?(?:access[_-]?)?key(?:[_-]?base)?)?|token|(?:api|access|account|private|encryption|signing` +
		`|auth)[_-]?key|credentials?|[a-z]+(?:Password|Secret|Token|ApiKey))`
	// secretValue matches a literal value: no variable, substitution, placeholder or mask.
	secretValue = `("[^"\n$<{\[*]{4,}"|'[^'\n$<{\[*]{4,}'|[^\s"'$<{\[(*;,&|][^\s"',;&|]{3,})`
	option      = `(?i)(?:^|\s)--?` + secretName + `(?:\s+|=)` + secretValue
	assignment  = `(?i)(?:^|[^\w-])` + secretName + `["']?\s*(?:=|:=|=>|:)\s*` + secretValue
)

// Mask replaces secrets in a text by their kind: «[masked-GitHub-token]». It knows only the forms that docs/worklog.md
// lists.
func Mask(text string) string {
	for _, f := range secretForms() {
		if f.isHinted(text) {
			text = f.mask(text)
		}
	}
	return text
}

func (f *secretForm) isHinted(text string) bool {
	small := strings.ToLower(text)
	return slices.ContainsFunc(f.hints, func(h string) bool { return strings.Contains(small, h) })
}

// mask masks line by line, unless the form spans lines: few lines have a hint.
func (f *secretForm) mask(text string) string {
	re := regexp.MustCompile(f.expr)
	if strings.Contains(f.expr, "(?s:") {
		return f.maskIn(re, text)
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if f.isHinted(line) {
			line = f.maskIn(re, line)
		}
		b.WriteString(line)
	}
	return b.String()
}

// maskMark begins a mask; a mask is one word, so that it keeps a command line's words.
const maskMark = "[masked-"

func (f *secretForm) maskIn(re *regexp.Regexp, text string) string {
	var b strings.Builder
	at := 0
	for _, m := range re.FindAllStringSubmatchIndex(text, -1) {
		from, to := m[0], m[1]
		if len(m) > 2 && m[2] >= 0 {
			from, to = m[2], m[3]
		}
		if strings.HasPrefix(text[from:to], maskMark) || f.expr == assignment && isHarmless(text[m[0]:from], text[from:to]) {
			continue
		}
		b.WriteString(text[at:from])
		b.WriteString(maskMark + strings.ReplaceAll(f.kind, " ", "-") + "]")
		at = to
	}
	return b.String() + text[at:]
}

// isHarmless reports whether a word after a colon is a type or text: «token: string», «password: the one that …».
func isHarmless(name, value string) bool {
	return strings.HasSuffix(strings.TrimRight(name, " "), ":") && !strings.ContainsAny(value, "0123456789\"'")
}

const maxResult = 64 << 10

// maskOperation is an operation without secrets, and without its result if the session is not verbose.
func (r *Recorder) maskOperation(o Operation) Operation {
	if o.Action == Bash && o.Status != Initiated && o.Details.Folder == "" {
		o.Details.Summary = testSummary(o.Details.Result)
	}
	if !r.switches().VerboseLog {
		o.Details.Result = ""
	}
	o.Details.Result = boundResult(o.Details.Result)
	if o.Action == ActDone || o.Action == AdaptDone {
		return o
	}
	o.Context, o.Details.AgentType = Mask(o.Context), Mask(o.Details.AgentType)
	o.Details.StatusChanges = slices.Clone(o.Details.StatusChanges)
	for i := range o.Details.StatusChanges {
		o.Details.StatusChanges[i].Todo = Mask(o.Details.StatusChanges[i].Todo)
	}
	if o.Action != Check && o.Action != Verify {
		o.shorten()
	}
	return o
}

// boundResult masks and truncates a result. It truncates last, because half a secret would not be recognized.
func boundResult(result string) string {
	const margin = 4 << 10
	whole := len(result)
	if whole > maxResult+margin {
		result = result[:maxResult+margin]
	}
	result = strings.ToValidUTF8(Mask(result), "\uFFFD")
	if len(result) <= maxResult && whole <= maxResult+margin {
		return result
	}
	return cutRunes(result, maxResult) + "\n… cut here"
}
