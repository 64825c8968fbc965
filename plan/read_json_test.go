package plan_test

import (
	"fmt"
	"testing"

	"github.com/acta-git/acta/plan"
)

// BenchmarkParse reads a plan of a thousand tasks, as `acta plan` writes one.
func BenchmarkParse(b *testing.B) {
	root := &plan.Unit{ID: "root", Type: "parent", Description: "all there is to do", Status: plan.InProgress}
	for i := range 1000 {
		root.Children = append(root.Children, &plan.Unit{
			ID: fmt.Sprintf("T%04d", i), Type: "atomic", Description: "a task of some words: «what is asked»",
			Status: plan.Pending, FailureThreshold: 0.6, DependsOn: []string{"T0000"}, Paths: []string{"src/a.go"},
			Checklist:   []plan.Item{{Text: "the first item"}, {Text: "the second one", Kind: "test"}},
			Assessments: []plan.Record{{Other: "S1", Note: `as "planned"`, At: "2026-01-02T03:04:05Z"}},
		})
	}
	data := plan.Write(root)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := plan.Parse(data); err != nil {
			b.Fatal(err)
		}
	}
}
