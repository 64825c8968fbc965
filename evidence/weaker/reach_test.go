package weaker_test

import "testing"

// TestWhatATestReaches: one test of each tree is gone, and code changes with it that is the test's or is not.
func TestWhatATestReaches(t *testing.T) {
	const two = "describe OneLine do\n  it 'a' do\n    expect(f).to eq(1)\n  end\n\n  it 'b' do\n    expect(g).to eq(2)\n  end\nend\n"
	const one = "describe OneLine do\n  it 'a' do\n    expect(f).to eq(1)\n  end\nend\n"
	for name, c := range map[string]struct {
		test, code    string // their paths
		before, after string // the code
		want          bool
	}{
		"of its name":         {test: "spec/cop/style/one_line_spec.rb", code: "lib/cop/style/one_line.rb", before: "x = 1\n", after: "x = 2\n", want: true},
		"of another name":     {test: "spec/cop/style/one_line_spec.rb", code: "lib/cop/lint/many_lines.rb", before: "x = 1\n", after: "x = 2\n"},
		"nothing but prose":   {test: "test/one_test.rb", code: "CHANGES.md", before: "a\n", after: "b\n"},
		"nothing but a test":  {test: "test/one_test.rb", code: "test/two_test.rb", before: "a\n", after: "b\n"},
		"data of another use": {test: "test/one_test.rb", code: "data.csv", before: "a\n", after: "b\n"},
		"changed in another language": {test: "test/one_test.rb", code: "web/cart.ts", before: "const x = 1\n",
			after: "const x = 2\n", want: true},
		"new in another language": {test: "test/one_test.rb", code: "web/cart.ts", after: "const x = 2\n"},
	} {
		t.Run(name, func(t *testing.T) {
			before := map[string]string{c.test: two, c.code: c.before}
			if c.before == "" {
				delete(before, c.code)
			}
			account := compare(t, before, map[string]string{c.test: one, c.code: c.after})
			if len(account.Weakenings) != 1 {
				t.Fatalf("%d weakenings, expected one", len(account.Weakenings))
			}
			if w := account.Weakenings[0]; w.CodeChanged != c.want {
				t.Errorf("code changes: %v, expected %v", w.CodeChanged, c.want)
			}
		})
	}
}
