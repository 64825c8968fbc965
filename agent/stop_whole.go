package agent

import (
	"regexp"
	"strings"
	"sync"
)

// lastSentences is how many sentences at the end of a message are asked whether they say that the whole is there: what
// stands before tells of steps.
const lastSentences = 4

// The words of those sentences. A noun of product is what a unit is about; the environment, a plan or a branch is not.
const (
	product = `(?:features?|functions?|functionality|methods?|modules?|components?|endpoints?|api|pages?|implementation|code|changes|fix|refactor(?:ing)?|development|work)`
	named   = `[\w.]+\([^()]*\)(?:(?:,| and|, and) [\w.]+\([^()]*\))*`
	whatIs  = `(?:(?:the|this|that|your|my|our|both|all|all the)(?: [\w.'/()-]+){0,4}? ` + product + `|` + product + `|` + named + `)`
	asAsked = `(?:as (?:you )?(?:requested|asked|specified|described|required|instructed)|per your (?:request|instructions)|(?:that )?you (?:asked for|requested))`
	ready   = `ready(?: (?:for (?:review|your review|use|testing|production|deployment|you|merge|merging)|to (?:use|go|merge|ship|deploy|review|be (?:used|merged|reviewed|deployed))))?`
	tested  = `(?:,? (?:and|with) (?:is |all )?(?:now )?(?:fully )?(?:tested|verified|working|committed|passing|ready|in place|(?:(?:all )?(?:of )?(?:the )?(?:\d+ )?(?:\w+ )?tests? (?:are |is )?(?:now )?)?(?:pass(?:es|ing)?|green))\b.*)?`
	where   = `(?: in [\w/-]*[./][\w./-]+)?`
)

// wholes are the forms of a sentence that says that the whole is there. The first group, where there is one, is what was made.
func wholes() []*regexp.Regexp {
	me := `\b(?:i|we)(?:'ve| have)?` + filler
	return []*regexp.Regexp{
		// «I've finished implementing the login»
		regexp.MustCompile(`(?i)` + me + ` (?:finished|completed|done)(?: with)? (?:implementing|building|coding|developing|refactoring) (.+)$`),
		regexp.MustCompile(`(?i)^(?:successfully )?(?:finished|completed|done)(?: with)? (?:implementing|building|coding|developing|refactoring) (.+)$`),
		// «I have implemented the login function», «Successfully implemented login()»
		regexp.MustCompile(`(?i)` + me + ` implemented (.+)$`),
		regexp.MustCompile(`(?i)^(?:successfully |fully )implemented (.+)$`),
		regexp.MustCompile(`(?i)^implemented ((?:the|both|all|` + named + `)(?:\W.*)?)$`),
		// «I've completed the implementation»
		regexp.MustCompile(`(?i)` + me + ` (?:finished|completed) (` + whatIs + `(?:\W.*)?)$`),
		regexp.MustCompile(`(?i)^(?:successfully |fully )?(?:finished|completed) (` + whatIs + `(?:\W.*)?)$`),
		// «I've added login() as requested», «As requested, I've added it»
		regexp.MustCompile(`(?i)(?:` + me + `|^(?:successfully)?) ?(?:added|built|fixed|delivered) (.+?) ` + asAsked + `\b`),
		regexp.MustCompile(`(?i)^` + asAsked + `,? (?:i|we)(?:'ve| have)?` + filler + ` (?:added|built|fixed|delivered) (.+)$`),
		regexp.MustCompile(`(?i)` + me + ` made (all the (?:\w+ )?changes|the (?:\w+ )?changes (?:` + asAsked + `))`),
		// «The feature is ready», «login() has been implemented»
		regexp.MustCompile(`(?i)^(?:and |so )?(?:` + whatIs + `|everything|all of it)(?:'s| is| are| has been| have been)` + filler + ` (?:` + done + `|in place|` + ready + `)(?: ` + asAsked + `)?` + where + tested + `$`),
		regexp.MustCompile(`(?i)^(?:and |so )?it(?:'s| is)` + filler + ` ready (?:for (?:review|your review|merge|merging|deployment)|to (?:merge|ship|deploy|be (?:merged|reviewed|deployed)))` + tested + `$`),
		regexp.MustCompile(`(?i)^(?:the|this|your) ([\w'/() -]+?) (?:is|are|has been|have been)` + filler + ` implemented(?: ` + asAsked + `)?` + where + tested + `$`),
		regexp.MustCompile(`(?i)^(?:the|this|your) ([\w'/() -]+?) (?:has|have) been` + filler + ` (?:added|built|fixed|delivered) ` + asAsked),
	}
}

var (
	// aPart reports a sentence about a part of the work, or of what is not there to stay.
	aPart = lazily(`(?i)\b(?:first|second|third|parts?|partial\w*|so far|for now|portion|pieces?|half|initial\w*|basics?|some|most|mostly|several|few|one of|phase|steps?|milestone|subset|rest|beginning|begun|started|starting|draft|skeleton|outline|stub\w*|scaffold\w*|prototype|placeholders?|workaround|hack|temporar\w+|minimal|rough\w*|attempt\w*|tried|only|items?|sides?|yesterday|earlier|previously|ago|last (?:week|month|year|time|session|sprint|release)|\d+ (?:out )?of(?: the)? \d+|\d+/\d+)\b`)
	// besides are things that are made beside the work itself.
	besides = lazily(`(?i)^(?:what|how|where|why|when|as|by|in|on|at|via|using|through|for|such|like|something|anything|nothing|one|two|three|\d+)\b|\b(?:tests?|testing|specs?|docs?|documentation|readme|docstrings?|comments?|logging|mocks?|fixtures?|helpers?|utils?|utilit(?:y|ies)|design|review|research|analysis|investigation|environment|branch|set-?up|project|docker|images?|containers?|binary|binaries|dependenc(?:y|ies)|imports?)\b`)
	// unlike is what takes a claim back behind it.
	unlike = lazily(`(?i)\b(?:but|however|except|apart from|other than|though|although|not|never|without|until|once|unless|yet|minus|save for|pending|leaving|now (?:the|i|we|on|to|for)|next|found|ran into|noticed|discovered)\b|n't\b|\?`)
	// onward reports a message that goes on, or in which something fails.
	onward = lazily(`(?i)(?:^|[.!:;\n]\s*)(?:(?:and |so )?(?:next|now|then)(?:,|:| i\b| we\b| up\b| on\b|$)|moving on|turning to)|\b(?:so far|for now|in progress|work in progress|wip|working on|about to|going to|continu(?:e|ing) (?:with|on)|move on|proceed(?:ing)?|waiting (?:for|on)|stuck|rest of|the others?\b|another (?:session|turn)|to be (?:done|added|implemented))|\b(?:tests?|build|checks?|it|they|suite|ci) (?:still |now |currently )?(?:fails?|failed|failing|is broken|are broken)\b|\b(?:is|are|keeps?) (?:still |now |currently )?failing\b|\b[1-9]\d* (?:tests? )?(?:failed|failing|failures?)\b|\b(?:untested|unverified|uncommitted)\b|\b(?:not|n't)(?: been| yet)* (?:committed|tested|verified)\b|n't(?: been| yet)* (?:committed|tested|verified)\b|\b(?:i am|i'm|we're|we are|and am) (?:now |currently |still )?\w+ing\b|\?`)
)

// lazily is a regular expression that is compiled when it is first used: every command starts with this package.
func lazily(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// saysWhole reports whether one of the last sentences of a message says, of the past, that the whole is implemented, finished or
// ready. A sentence about a part of it, a plan, a condition or a denial does not, and no list, quotation or code.
func saysWhole(message string) bool {
	text := narrative(message)
	if onward().MatchString(text) {
		return false
	}
	all, forms := sentences(text), wholes()
	for _, s := range all[max(0, len(all)-lastSentences):] {
		if aPart().MatchString(s) {
			continue
		}
		for _, w := range forms {
			if m := w.FindStringSubmatchIndex(s); m != nil && stands(s, m) {
				return true
			}
		}
	}
	return false
}

// stands reports whether a sentence that has the form of a claim is one: what was made is the work itself, nothing before
// it makes it a condition or a plan, and nothing behind it takes it back.
func stands(s string, match []int) bool {
	end := match[1]
	if len(match) > 2 && match[2] >= 0 {
		made := s[match[2]:match[3]]
		if at := regexp.MustCompile(`,| and | with | so | including | to | that | which | for | using | in `).FindStringIndex(made); at != nil {
			made = made[:at[0]]
		}
		if besides().MatchString(made) {
			return false
		}
		end = match[2] + len(made)
	}
	return !hedged(s[:end]) && !unlike().MatchString(s[end:])
}

// narrative is the prose of a message without lists, headings, tables, indented code and quotations.
func narrative(message string) string {
	message = regexp.MustCompile("(?s)(?:```|~~~).*?(?:```|~~~|$)").ReplaceAllString(message, "\n")
	var kept []string
	for line := range strings.Lines(message) {
		if !regexp.MustCompile(`^\s*(?:[-*+•] |\d+[.)] |#{1,6} |\||>)|^(?: {4}|\t)`).MatchString(line) {
			kept = append(kept, line)
		}
	}
	text := regexp.MustCompile(`"[^"\n]*"|“[^”\n]*”|«[^»\n]*»`).ReplaceAllString(strings.Join(kept, ""), `""`)
	return prose(text)
}
