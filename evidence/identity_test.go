package evidence

import (
	"context"
	"slices"
	"testing"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

const shop = `import os

RATE = 3

class Shop:
    """A shop."""

    def sell(self, item, price):
        # Every sale is taxed.
        tax = price * RATE
        return self.book(item, price + tax)

    def close(self):
        return self.door.shut("now")

def audit(shop, day):
    for sale in shop.sales(day):
        yield sale.price, sale.item
`

// What a second claim cites is new, or not, after a first one. The number is how many new identities it has.
func TestIdentities(t *testing.T) {
	moved := "def other():\n    return 1\n\n\n" + `def audit(shop, day):
    # Moved, commented on,
    for sale in shop.sales( day ):
        yield (sale.price,
               sale.item)
`
	for name, c := range map[string]struct {
		first, then       string // files
		firstIs, secondIs string // evidence
		kind              Kind
		fresh             int
	}{
		"again":                    {shop, shop, "a.py:8-11", "a.py:8-11", "", 0},
		"a part of it":             {shop, shop, "a.py:8-11", "a.py:10-10", "", 0},
		"the whole after a part":   {shop, shop, "a.py:10", "a.py:8-11", "", 0},
		"the next crumb":           {shop, shop, "a.py:10", "a.py:11", "", 0},
		"inside a wide one":        {shop, shop, "a.py:1-18", "a.py:13-14", "", 0},
		"around it":                {shop, shop, "a.py:8-14", "a.py:5-14", "", 0},
		"another definition":       {shop, shop, "a.py:8-11", "a.py:13-14", "", 1},
		"an import beside it":      {shop, shop, "a.py:16-18", "a.py:1-2", "", 1},
		"an import around it":      {shop, "import json\n" + shop, "a.py:1-18", "a.py:1-19", "", 0},
		"two others":               {shop, shop, "a.py:8-11", "a.py:8-18", "", 2},
		"lines outside":            {shop, shop, "a.py:1-1", "a.py:3-3", "", 1},
		"a constant around it":     {shop, shop, "a.py:4-18", "a.py:1-18", "", 1},
		"the same line":            {shop, "RATE=3\n", "a.py:3-3", "b.py:1-1", "", 0},
		"moved and formatted":      {shop, moved, "a.py:16-18", "b.py:5-9", "", 1}, // brackets are code
		"moved":                    {shop, "\n\n" + "def audit(shop, day):\n    for sale in shop.sales( day ): # each\n\n        yield sale.price, sale.item\n", "a.py:16-18", "b.py:3-6", "", 0},
		"under another name":       {shop, "def list_all(shop, day):\n    for sale in shop.sales(day):\n        yield sale.price, sale.item\n", "a.py:16-18", "b.py:1-3", "", 0},
		"changed":                  {shop, "def audit(shop, day):\n    for sale in shop.sales(day):\n        yield sale.item, sale.price\n", "a.py:16-18", "b.py:1-3", "", 1},
		"another block":            {"def f(a):\n    if a:\n        b()\n        c()\n", "def f(a):\n    if a:\n        b()\n    c()\n", "a.py:1-4", "b.py:1-4", "", 1},
		"small and alike":          {"def f():\n    return 1\n", "def g():\n    return 1\n", "a.py:1-2", "b.py:1-2", "", 1},
		"small and the same":       {"def f():\n    return 1\n", "def f():\n  return 1\n", "a.py:1-2", "b.py:1-2", "", 0},
		"prose":                    {"One.\n\nTwo.\n", "Two .\n", "a.md:1-3", "b.md:1-1", "", 0},
		"more prose":               {"One.\n\nTwo.\n", "One.\nThree.\n", "a.md:1-3", "b.md:1-2", "", 1},
		"text in code":             {shop, shop, "a.py:10", "a.py:9", KindText, 1},
		"a line of a paragraph":    {"a = 1\nb = 2\n", "a = 1\nb = 2\n", "a.xyz:1", "a.xyz:2", "", 0},
		"without a grammar":        {"a = 1\n", "a = 1\nb = 2\n", "a.xyz:1", "b.xyz:1-2", "", 1},
		"nothing but brackets":     {"{\n}\n", "{\n}\n", "a.xyz:1-2", "a.xyz:1-2", "", 0},
		"added again elsewhere":    {shop, shop, "a.py:5-14", "b.py:5-14", "", 0},
		"by its symbol":            {shop, "\n\n\n" + shop, "a.py:13-14#Shop.close", "b.py:13-14#Shop.close", "", 0},
		"a binary":                 {"\x00one", "\x00one", "a.bin", "b.bin", kindAsset, 0},
		"another binary":           {"\x00one", "\x00two", "a.bin", "b.bin", kindAsset, 1},
		"empty files are two":      {"", "", "a.txt", "b.txt", kindAsset, 1},
		"an empty file once":       {"", "", "a.txt", "a.txt", kindAsset, 0},
		"beyond the end":           {shop, shop, "a.py:90", "a.py:90", "", 0},
		"malformed is never equal": {shop, shop, "a.py:8-11", "a.py:9-x", "", 1},
	} {
		t.Run(name, func(t *testing.T) {
			first, then := identitiesOf(t, c.first, c.firstIs, c.kind), identitiesOf(t, c.then, c.secondIs, c.kind)
			fresh := slices.DeleteFunc(slices.Clone(then), func(k string) bool { return slices.Contains(first, k) })
			if len(fresh) != c.fresh {
				t.Errorf("%d of %q are new after %q", len(fresh), then, first)
			}
		})
	}
}

func identitiesOf(t *testing.T, text, cited string, kind Kind) []string {
	t.Helper()
	e := parser.ParseEvidence(cited, report.Pos{})
	if len(e) != 1 {
		t.Fatalf("%q is %d places", cited, len(e))
	}
	j := &Judge{Tree: memory{e[0].Path: file(text)}.tree()}
	keys, err := j.Identities(context.Background(), []Claim{{Evidence: e[0], Kind: kind}})
	if err != nil {
		t.Fatal(err)
	}
	if len(keys) != 1 || len(keys[0]) == 0 {
		t.Fatalf("no identities: %v", keys)
	}
	return keys[0]
}

// What was removed is known by what it was, and is another thing than what is there.
func TestIdentitiesOfRemovals(t *testing.T) {
	before := memory{"a.py": file(shop), "b.bin": file("\x00one")}.tree()
	j := &Judge{Tree: memory{"a.py": file(shop)}.tree(), Base: &before}
	var claims []Claim
	for _, cited := range []string{"-a.py", "-a.py:8-11", "a.py:8-11", "-b.bin", "-c.py"} {
		claims = append(claims, Claim{Evidence: parser.ParseEvidence(cited, report.Pos{})[0]})
	}
	keys, err := j.Identities(context.Background(), claims)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(keys[0], keys[1][0]) || slices.Contains(keys[0], keys[2][0]) || len(keys[3]) != 1 || len(keys[4]) != 1 {
		t.Errorf("%q", keys)
	}
}

// Forty constants in a row are one piece of work; two rows are two, and a function is one by itself.
func TestAdjacentLinesOfDataAreOnePiece(t *testing.T) {
	text := "A = 1\nB = 2\nC = 3\n\nD = 4\n\ndef f(x):\n    return x + 1\n"
	j := &Judge{Tree: memory{"a.py": file(text), "notes.md": file("One thing.\nAnother thing.\n")}.tree()}
	var claims []Claim
	for _, cited := range []string{"a.py:2", "a.py:1", "a.py:3", "a.py:5", "a.py:7-8", "notes.md:1", "notes.md:2"} {
		claims = append(claims, Claim{Evidence: parser.ParseEvidence(cited, report.Pos{})[0]})
	}
	keys, err := j.Identities(context.Background(), claims)
	if err != nil {
		t.Fatal(err)
	}
	pieces := map[string]bool{}
	for _, k := range keys {
		pieces[k[0]] = true
	}
	if len(pieces) != 5 || keys[0][0] != keys[1][0] || keys[2][0] != keys[1][0] {
		t.Errorf("%d pieces: %q", len(pieces), keys)
	}
}
