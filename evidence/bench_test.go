package evidence

import (
	"fmt"
	"strings"
	"testing"

	"github.com/acta-git/acta/report"
)

// sample is a source of about 1,000 lines, and the name of its file.
func sample(language string) (path, src string) {
	var b strings.Builder
	template := map[string]string{
		"python":     "@cache\ndef f%[1]d(a, b=None):\n    \"\"\"Add them.\"\"\"\n    if b is None:\n        return [a, %[1]d, \"text\"]\n    for i in range(a):\n        log.info(\"i=%%d\", i)\n        b = g(b, i) + self.total[i]\n    return {\"a\": a, \"b\": b}\n\n",
		"go":         "// F%[1]d adds.\nfunc F%[1]d(a int, b *T) (int, error) {\n\tif b == nil {\n\t\treturn a, errors.New(\"no b\")\n\t}\n\tfor i := range a {\n\t\tlog.Printf(\"i=%%d\", i)\n\t\tb.n += g(b.m[i], %[1]d)\n\t}\n\treturn b.n, nil\n}\n",
		"javascript": "// Adds.\nexport const f%[1]d = async (a, b) => {\n  if (b === null) {\n    return { a, n: %[1]d };\n  }\n  for (const i of a) {\n    console.log(`i=${i}`);\n    b = await g(b[i], \"text\");\n  }\n  return [a, ...b];\n};\n",
		"typescript": "/** Adds. */\nexport const f%[1]d = async (a: number[], b: T | null): Promise<T> => {\n  if (b === null) {\n    return { a, n: %[1]d } as T;\n  }\n  for (const i of a) {\n    console.log(`i=${i}`);\n    b = await g<T>(b[i], \"text\");\n  }\n  return b!;\n};\n",
	}[language]
	if language == "go" {
		b.WriteString("package a\n\n")
	}
	for i := range 90 {
		fmt.Fprintf(&b, template, i)
	}
	return "a" + map[string]string{"python": ".py", "go": ".go", "javascript": ".js", "typescript": ".ts"}[language], b.String()
}

var benched = []string{"python", "go", "javascript", "typescript"}

// BenchmarkJudge judges one place of a 1,000 line file: cold parses it, warm finds it in the cache.
func BenchmarkJudge(b *testing.B) {
	for _, language := range benched {
		path, src := sample(language)
		claim := Claim{Evidence: cite(b, path+":502-508")}
		run := func(b *testing.B, cache *Cache) {
			b.SetBytes(int64(len(src)))
			j := &Judge{Tree: memory{path: file(src)}.tree(), Cache: cache}
			for b.Loop() {
				if r, err := j.Evidence(b.Context(), claim); err != nil || r.Verdict != report.Verified {
					b.Fatal(r, err)
				}
			}
		}
		b.Run(language+"/cold", func(b *testing.B) { run(b, nil) })
		b.Run(language+"/warm", func(b *testing.B) { run(b, NewCache()) })
	}
}

// BenchmarkCompile compiles a language's query alone.
func BenchmarkCompile(b *testing.B) {
	for _, g := range grammars() {
		b.Run(g.Name, func(b *testing.B) {
			for b.Loop() {
				if _, err := compile(g.Language); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkParse splits the cold path: the parse alone, then parse and query, then the model.
func BenchmarkParse(b *testing.B) {
	for _, language := range benched {
		path, src := sample(language)
		g := grammarOf(path)
		if _, err := g.compiled(); err != nil {
			b.Fatal(err)
		}
		b.Run(language+"/tree", func(b *testing.B) {
			for b.Loop() {
				if _, err := g.tree(b.Context(), []byte(src)); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(language+"/query", func(b *testing.B) {
			for b.Loop() {
				if _, err := g.parse(b.Context(), nil, Source{Path: path, Bytes: []byte(src)}, everyBody); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkNearest looks for the nearest of 100,000 paths.
func BenchmarkNearest(b *testing.B) {
	paths := make([]string, 100_000)
	for i := range paths {
		paths[i] = fmt.Sprintf("src/module%d/package%d/file_%d.py", i%97, i%1009, i)
	}
	for b.Loop() {
		if got := nearest(paths, "src/module5/package7/file_102.py"); got == "" {
			b.Fatal("nothing is near")
		}
	}
}
