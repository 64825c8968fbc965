package parser

import (
	"fmt"
	"strings"
	"testing"
)

// Boxes of three kinds of plans: spec-kit's, Kiro's, and a list without ids.
func TestBoxesAreRead(t *testing.T) {
	src := "# Tasks\n\n- [ ] Make it nice\n- [x] Make it nice\n\n## Phase 1\n\n" +
		"- [X] T001 [P] [US1] Create `store` in `src/store.py`\n  with its index\n  - keeps rows\n" +
		"- [ ] **T002** Write docs\n\n```\n- [x] T003 is code\n```\n\n> - [x] T004 is quoted\n\n" +
		"- [ ] 1. Build\n  - [x] 1.1 Build src/a.ts\n    - _Requirements: 1.2_\n  - [ ]* 1.2 Test it\n- no box\n- [see](here) no box\n" +
		"- [x] T005 Ship it\n\n  to all of them\n"
	var got []string
	for _, b := range ParseBoxes([]byte(src)) {
		got = append(got, fmt.Sprintf("%d %s %v group=%v | %s | %s | %s | %s", b.Line(), b.ID, b.IsTicked, b.IsGroup, b.Heading,
			b.Text.Value, strings.ReplaceAll(b.Detail, "\n", "; "), b.Text.Span.Of([]byte(src))))
	}
	want := `3 tasks-make-it-nice false group=false | Tasks | Make it nice |  | Make it nice
4 tasks-make-it-nice~2 true group=false | Tasks | Make it nice |  | Make it nice
8 T001 true group=false | Phase 1 | Create ` + "`store` in `src/store.py` | with its index; keeps rows | T001 [P] [US1] Create `store` in `src/store.py`" + `
11 T002 false group=false | Phase 1 | Write docs |  | **T002** Write docs
19 1 false group=true | Phase 1 | Build |  | 1. Build
20 1.1 true group=false | Phase 1 | Build src/a.ts | _Requirements: 1.2_ | 1.1 Build src/a.ts
22 1.2 false group=false | Phase 1 | Test it |  | 1.2 Test it
25 T005 true group=false | Phase 1 | Ship it | to all of them | T005 Ship it`
	if s := strings.Join(got, "\n"); s != want {
		t.Errorf("got\n%s\nwant\n%s", s, want)
	}
}

// Any bytes are read without a panic, and each box stands where its span says.
func FuzzBoxes(f *testing.F) {
	f.Add([]byte("- [ ] T001 a\n  - [x] b\n1. [X] c\n"))
	f.Add([]byte("\ufeff- [ ]* \n- [x]\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		ids := map[string]bool{}
		for _, b := range ParseBoxes(src) {
			if at := b.Text.Span; at.Start.Offset > at.End.Offset || at.End.Offset > len(src) || b.ID != "" && ids[b.ID] {
				t.Errorf("%q: %+v", src, b)
			}
			ids[b.ID] = true
		}
	})
}
