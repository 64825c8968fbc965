package worklog

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// secretForm is how a kind of secret is written.
type secretForm struct {
	kind string
	// hints: a text without any of them, in small letters, holds none; the expression is then not even compiled.
	hints []string
	// expr has a group around the secret, or is all secret.
	expr string
}

// secretForms are the forms that the issuers of secrets document, or that config files and command
// lines have for them; docs/worklog.md lists them. They are masked in this order.
func secretForms() []secretForm {
	return []secretForm{
		{"private key", []string{"private key"},
			`-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----(?s:.*?)(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\z)`},
		{"age key", []string{"age-secret-key-"}, `AGE-SECRET-KEY-1[A-Z0-9]{20,}`},
		{"GitHub token", []string{"gh", "github_pat_"}, `\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,})`},
		{"GitLab token", []string{"gl"}, `\bgl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|soat|oas|ffct)-[\w.-]{16,}`},
		{"AWS key", []string{"akia", "asia", "abia", "acca"}, `\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b`},
		{"Google key", []string{"aiza", "ya29.", "gocspx-"}, `\b(?:AIza[\w-]{30,}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,})`},
		{"Slack token", []string{"xox", "xapp-", "hooks.slack.com"},
			`\b(?:xox[a-z](?:\.xox[a-z])?-[\w-]{10,}|xapp-[\w-]{10,})|hooks\.slack\.com/(?:services|workflows` +
				`|triggers)/([\w/]+)`},
		{"API key", []string{"sk-"}, `\bsk-[\w-]{20,}`}, // OpenAI, Anthropic and others
		{"Stripe key", []string{"sk_", "rk_", "whsec_"}, `\b(?:[rs]k_(?:live|test)_\w{10,}|whsec_[\w+/=]{20,})`},
		{"package registry token", []string{"npm_", "pypi-", "rubygems_", "cio", "oy2", "dckr_", "nuget"},
			`\b(?:npm_\w{30,}|pypi-[\w-]{30,}|rubygems_[0-9a-f]{40,}|cio[A-Za-z0-9]{32}|oy2[a-z0-9]{43}` +
				`|dckr_[op]at_[\w-]{20,})`},
		{"service token", []string{"hf_", "sg.", "shp", "_v1_", "dapi", "hvs.", "hvb.", "atatt", "lin_api_", "ntn_", "figd_",
			"sntrys_", "glsa_", "sbp_"},
			`\b(?:hf_[A-Za-z0-9]{30,}|SG\.[\w-]{16,}\.[\w-]{16,}|shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}|do[opr]_v1_[0-9a-f]{40,}` +
				`|dapi[0-9a-f]{32}|hv[bs]\.[\w-]{20,}|ATATT[\w=-]{20,}|lin_api_\w{30,}|ntn_\w{30,}|figd_[\w-]{30,}` +
				`|sntrys_[\w+/=-]{30,}|glsa_\w{30,}|sbp_[0-9a-f]{40})`},
		{"JSON web token", []string{"eyj"}, `\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*`},
		{"password", []string{"://"}, `\b[A-Za-z][\w+.-]*://[^\s/:@'"]*:([^\s/@'"]+)@`},
		{"token", []string{"://"}, `\bhttps?://([\w.~%-]{16,})@`},
		{"credentials", []string{"cookie"}, `(?i)\b(?:set-)?cookie["']?\s*:\s*["']?([^"'\n]*[^"'\s])`},
		{"credentials", []string{"authorization", "x-api-key", "-token"},
			`(?i)\b(?:(?:proxy-)?authorization|x-api-key|(?:x-auth|private|deploy|job|x-vault|x-gitlab` +
				`|x-github)-token)["']?\s*[:=]\s*["']?(?:(?:bearer|basic|token|digest|negotiate)\s+)?([^\s"',;][^\s"']*)`},
		{"token", []string{"bearer"}, `(?i)\bbearer\s+([\w.~+/-]{16,}=*)`},
		{"password", []string{"curl"},
			`\bcurl\b[^\n|;&]*?\s(?:-u|--user|--proxy-user)(?:\s+|=)?["']?[^\s:"'-][^\s:"']*:([^\s"']+)`},
		{"password", []string{"sshpass"}, `\bsshpass\s+-p\s*["']?([^\s"']+)`},
		{"secret", []string{"pass", "secret", "token", "key", "credential", "pwd"}, option},
		{"secret", []string{"pass", "secret", "token", "key", "credential", "pwd"}, assignment},
	}
}

const (
	// secretName is what is secret by its name: DB_PASSWORD, aws_secret_access_key; max_tokens is none.
	secretName = `(?:[\w-]*[_-])?(?:pass(?:word|wd|phrase|code)|\w+[_-]pwd` +
		`|secret(?:[_-]?(?:access[_-]?)?key(?:[_-]?base)?)?|token|(?:api|access|account|private|encryption|signing` +
		`|auth)[_-]?key|credentials?|[a-z]+(?:Password|Secret|Token|ApiKey))`
	// aValue is one that is written out: no variable, substitution, placeholder, or what is masked already.
	aValue     = `("[^"\n$<{\[*]{4,}"|'[^'\n$<{\[*]{4,}'|[^\s"'$<{\[(*;,&|][^\s"',;&|]{3,})`
	option     = `(?i)(?:^|\s)--?` + secretName + `(?:\s+|=)` + aValue
	assignment = `(?i)(?:^|[^\w-])` + secretName + `["']?\s*(?:=|:=|=>|:)\s*` + aValue
)

// Mask replaces secrets in a text by their kind: «[masked-GitHub-token]». It knows the forms that
// docs/worklog.md lists, and no others.
func Mask(text string) string {
	for _, f := range secretForms() {
		if f.isHinted(text) {
			text = f.mask(text)
		}
	}
	return text
}

// isHinted reports whether a text may hold such a secret.
func (f *secretForm) isHinted(text string) bool {
	small := strings.ToLower(text)
	return slices.ContainsFunc(f.hints, func(h string) bool { return strings.Contains(small, h) })
}

// mask masks line by line, where the form does not span lines: few lines have a hint.
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

// maskMark begins what stands in place of a secret; it is one word, so that a command line stays what it is.
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

// isHarmless tells a type or a word behind a colon from a value: «token: string», «password: the one that …».
func isHarmless(name, value string) bool {
	return strings.HasSuffix(strings.TrimRight(name, " "), ":") && !strings.ContainsAny(value, "0123456789\"'")
}

// maxResult is how much of a tool's result is kept, in bytes.
const maxResult = 64 << 10

// masked is an operation as it is recorded: without secrets, and without its result where the session is not verbose.
// What commits say is as public as they are.
func (r *Recorder) masked(o Operation) Operation {
	if o.Action == Bash && o.Status != Initiated && o.Details.Folder == "" {
		o.Details.Summary = testSummary(o.Details.Result)
	}
	if !r.switches().VerboseLog {
		o.Details.Result = ""
	}
	o.Details.Result = bounded(o.Details.Result)
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

// bounded is a result without secrets and of a bounded length. A secret must not be cut: it would no longer be known.
func bounded(result string) string {
	const margin = 4 << 10
	whole := len(result)
	if whole > maxResult+margin {
		result = result[:maxResult+margin]
	}
	result = strings.ToValidUTF8(Mask(result), "\uFFFD")
	if len(result) <= maxResult && whole <= maxResult+margin {
		return result
	}
	end := min(maxResult, len(result))
	for end > 0 && end < len(result) && !utf8.RuneStart(result[end]) {
		end--
	}
	return result[:end] + "\n… cut here"
}
