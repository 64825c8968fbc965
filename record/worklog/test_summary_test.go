package worklog

import "testing"

func TestWhatATestRunTold(t *testing.T) {
	for name, c := range map[string]struct{ output, want string }{
		"pytest":         {"F..s\n=== short test summary info ===\nFAILED test_a.py::test_b\n=== 1 failed, 12 passed, 2 skipped in 0.12s ===\n", "12 passed, 1 failed, 2 skipped"},
		"pytest -q":      {"...                     [100%]\n3 passed in 0.01s\n", "3 passed"},
		"pytest, errors": {"1 error in 0.10s\n", "1 failed"},
		"pytest, none":   {"no tests ran in 0.00s\n", ""},
		"unittest":       {"Ran 5 tests in 0.001s\n\nFAILED (failures=1, errors=1, skipped=1)\n", "2 passed, 2 failed, 1 skipped"},
		"unittest, ok":   {"Ran 5 tests in 0.001s\n\nOK\n", "5 passed"},
		"go test -v":     {"=== RUN   TestA\n--- PASS: TestA (0.00s)\n    --- PASS: TestA/sub (0.00s)\n--- FAIL: TestB (0.00s)\n--- SKIP: TestC (0.00s)\nFAIL\nFAIL\tx\t0.01s\n", "1 passed, 1 failed, 1 skipped"},
		"go test":        {"ok  \tx\t0.012s\n", ""},
		"cargo":          {"test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out\n\ntest result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured\n", "7 passed, 1 failed, 1 skipped"},
		"jest":           {"Test Suites: 1 failed, 1 passed, 2 total\nTests:       1 failed, 2 skipped, 3 passed, 6 total\nSnapshots:   0 total\nTime:        1.2 s\n", "3 passed, 1 failed, 2 skipped"},
		"vitest":         {" Test Files  1 failed | 2 passed (3)\n      Tests  1 failed | 5 passed (6)\n   Duration  1.01s\n", "5 passed, 1 failed"},
		"mocha":          {"\n  5 passing (12ms)\n  1 pending\n  2 failing\n", "5 passed, 2 failed, 1 skipped"},
		"rspec":          {"Finished in 0.1 seconds\n10 examples, 2 failures, 1 pending\n", "7 passed, 2 failed, 1 skipped"},
		"maven":          {"Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s -- in A\n[INFO]\nTests run: 8, Failures: 1, Errors: 1, Skipped: 2\n", "4 passed, 2 failed, 2 skipped"},
		"phpunit":        {"OK (5 tests, 9 assertions)\n", "5 passed"},
		"phpunit, bad":   {"Tests: 5, Assertions: 9, Failures: 1, Skipped: 1.\n", "3 passed, 1 failed, 1 skipped"},
		"node":           {"# tests 7\n# suites 0\n# pass 5\n# fail 1\n# cancelled 0\n# skipped 1\n# todo 0\n# duration_ms 41.5\n", "5 passed, 1 failed, 1 skipped"},
		"minitest":       {"5 runs, 9 assertions, 1 failures, 0 errors, 1 skips\n", "3 passed, 1 failed, 1 skipped"},
		"exunit":         {"Finished in 0.03 seconds\n5 tests, 1 failure\n", "4 passed, 1 failed"},
		"dotnet":         {"Failed!  - Failed:     1, Passed:     5, Skipped:     0, Total:     6\n", "5 passed, 1 failed"},
		"colours":        {"\x1b[31m\x1b[1m1 failed\x1b[0m, \x1b[32m2 passed\x1b[0m in 0.01s\n", "2 passed, 1 failed"},
		"in an object":   {`{"stdout":"..\n2 passed in 0.01s\n","stderr":"","interrupted":false}`, "2 passed"},
		"nothing":        {"", ""},
		"run twice":      {"1 failed, 2 passed in 0.02s\n3 passed in 0.01s\n", "3 passed"},
		"other words":    {"compiled 12 files\nlistening on port 8080\n", ""},
	} {
		if got := testSummary(c.output); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
