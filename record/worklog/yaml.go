package worklog

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/acta-git/acta/repo/state"
)

// toYAML is a value as YAML. The library's own quotes are not enough: it reads a tab in plain text as nothing, and .inf
// as a number.
func toYAML(v any) ([]byte, error) {
	return yaml.MarshalWithOptions(v, yaml.UseJSONMarshaler(), yaml.CustomMarshaler(scalar))
}

// plain matches text that is safe without quotes, but for notText: words that are no text in YAML 1.1 or 1.2.
var (
	plain   = regexp.MustCompile(`^([A-Za-z/_][ !"$-9;-~]*|\d{8}_\d{6}-[0-9a-f]{4})$`)
	notText = regexp.MustCompile(`(?i)^(null|true|false|yes|no|on|off|y|n)$|\s$`)
)

// scalar is a text as it stands in YAML: plain where that is safe, else in double quotes, which are those of JSON but
// for characters that YAML does not print.
func scalar(text string) ([]byte, error) {
	if plain.MatchString(text) && !notText.MatchString(text) {
		return []byte(text), nil
	}
	quoted, err := state.Line(text)
	var b strings.Builder
	for _, r := range strings.TrimSuffix(string(quoted), "\n") {
		if r >= 0x7f && r <= 0x9f || r == 0xfeff || r == 0xfffe || r == 0xffff {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return []byte(b.String()), err
}
