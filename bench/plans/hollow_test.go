package main

import "testing"

func TestAFunctionIsLeftWithItsFormAlone(t *testing.T) {
	for file, c := range map[string][2]string{
		"a.py": {"def f(x):\n    \"\"\"Says.\"\"\"\n    return x + 1\n\n\nclass C:\n    def g(self):\n        self.n = 1\n        return self\n",
			"def f(x):\n    \"\"\"Says.\"\"\"\n    return\n\n\nclass C:\n    def g(self):\n        return\n"},
		"a.go": {"package a\n\nfunc F(x int) int {\n\tif x > 0 {\n\t\treturn x\n\t}\n\treturn g(x)\n}\n\nfunc g(x int) int { return x * 2 }\n",
			"package a\n\nfunc F(x int) int { return 0; }\n\nfunc g(x int) int { return 0; }\n"},
		"a.ts": {"export const f = (x: number): number => {\n  return x + 1;\n};\nfunction g(): string {\n  return call();\n}\n",
			"export const f = (x: number): number => { return 0; };\nfunction g(): string { return \"\"; }\n"},
	} {
		got, err := hollow(t.Context(), file, []byte(c[0]))
		if err != nil || string(got) != c[1] {
			t.Errorf("%s: %v\n%s\nwant\n%s", file, err, got, c[1])
		}
	}
}
