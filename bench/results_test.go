package bench

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/acta-git/acta/results"
)

// BenchmarkResults reads 50 MB of each format; encoding/xml stands beside what reads JUnit.
func BenchmarkResults(b *testing.B) {
	const size = 50_000_000
	trace := strings.Repeat("    assert left &lt; right, &quot;a line of a trace&quot;\n", 8)
	fill := func(begin, end string, piece func(w io.Writer, i int)) []byte {
		var all bytes.Buffer
		all.WriteString(begin)
		for i := 0; all.Len() < size-len(end); i++ {
			piece(&all, i)
		}
		all.WriteString(end)
		return all.Bytes()
	}
	junit := fill("<testsuites><testsuite name='pytest'>", "</testsuite></testsuites>", func(w io.Writer, i int) {
		_, _ = fmt.Fprintf(w, "<testcase classname=\"tests.test_%d.TestAll\" name=\"test_it[%d]\" time=\"0.01\"/>\n", i/100, i)
		if i%20 == 0 {
			_, _ = fmt.Fprintf(w, "<testcase classname=\"tests.test_%d\" name=\"test_bad\">"+
				"<failure message=\"no\">%s</failure></testcase>\n", i/100, trace)
		}
	})
	for _, f := range []struct {
		name string
		data []byte
	}{
		{"junit", junit},
		{"go-test", fill("", "", func(w io.Writer, i int) {
			for _, action := range []string{"run", "output", "output", "pass"} {
				_, _ = fmt.Fprintf(w, `{"Time":"2026-01-01T00:00:00.1Z","Action":%q,"Package":"example.org/m/p%d",`+
					`"Test":"TestX/%d"}`+"\n", action, i/100, i)
			}
		})},
		{"tap", fill("TAP version 13\n", "1..9\n", func(w io.Writer, i int) {
			_, _ = fmt.Fprintf(w, "# Subtest: adds %d\nok %d - adds %d\n  ---\n  duration_ms: 0.6\n  ...\n", i, i+1, i)
		})},
		{"lcov", fill("TN:\n", "", func(w io.Writer, i int) {
			_, _ = fmt.Fprintf(w, "SF:/ci/src/f%d.js\n%send_of_record\n", i, lines("DA:%d,3\n"))
		})},
		{"cobertura", fill("<coverage><packages>", "</packages></coverage>", func(w io.Writer, i int) {
			_, _ = fmt.Fprintf(w, "<class filename=\"src/f%d.py\"><lines>%s</lines></class>\n", i,
				lines("<line number=\"%d\" hits=\"1\"/>\n"))
		})},
		{"jacoco", fill("<report name=\"r\">", "</report>", func(w io.Writer, i int) {
			_, _ = fmt.Fprintf(w, "<package name=\"com/x%d\"><sourcefile name=\"A.java\">%s</sourcefile></package>\n", i,
				lines("<line nr=\"%d\" mi=\"0\" ci=\"3\" mb=\"0\" cb=\"0\"/>"))
		})},
		{"go-profile", fill("mode: set\n", "", func(w io.Writer, i int) {
			_, _ = io.WriteString(w, lines(fmt.Sprintf("example.org/m/p/f%d.go:%%d.10,%%[1]d.40 1 1\n", i)))
		})},
		{"coverage.py", fill(`{"meta":{"version":"7.6"},"files":{"a.py":{"executed_lines":[1],"missing_lines":[]}`, "}}",
			func(w io.Writer, i int) {
				_, _ = fmt.Fprintf(w, ",\n\"src/f%d.py\":{\"executed_lines\":[%s1],\"missing_lines\":[2],"+
					"\"contexts\":{%s\"1\":[\"\"]}}", i, lines("%d,"), lines(`"%d":["tests/test_a.py::test_it|run"],`))
			})},
	} {
		b.Run(f.name, func(b *testing.B) {
			b.SetBytes(int64(len(f.data)))
			before := processorTime(b)
			for b.Loop() {
				_, err := results.ReadTests(f.name, f.data)
				if err != nil {
					_, err = results.ReadCoverage(f.name, f.data)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric((processorTime(b)-before).Seconds()/float64(b.N), "s/50MB")
		})
	}
	b.Run("encoding-xml", func(b *testing.B) {
		b.SetBytes(int64(len(junit)))
		before := processorTime(b)
		for b.Loop() {
			d := xml.NewDecoder(bytes.NewReader(junit))
			for {
				if _, err := d.Token(); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					b.Fatal(err)
				}
			}
		}
		b.ReportMetric((processorTime(b)-before).Seconds()/float64(b.N), "s/50MB")
	})
}

// processorTime is what this process has taken of the processors, which others on the machine change little.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// lines is a form, filled in with the numbers of 500 lines.
func lines(form string) string {
	var all strings.Builder
	for n := range 500 {
		_, _ = fmt.Fprintf(&all, form, n+1)
	}
	return all.String()
}
