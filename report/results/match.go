package results

import (
	"html"
	"path"
	"slices"
	"strings"
	"unicode"
)

// Test is a test as the source has it.
type Test struct {
	// Path is its file.
	Path string
	// Groups are the classes, modules or titles around it, from the outermost on; Name its own name or title.
	Groups []string
	Name   string
	// IsTitled: it has a title. HasUnknownName: its name in a report is unknown before it runs.
	IsTitled, HasUnknownName bool
}

// Match is a test's result in the reports.
type Match struct {
	// Outcome is the worst of all reports; a retried test counts with its best outcome in a report. It is 0 if no case is
	// certain.
	Outcome Outcome
	// Candidates counts further cases with its name and an unknown file.
	Candidates int
	// IsByTitle: the cases were found only by their title, which tests of other files may share.
	IsByTitle bool
}

// Index finds the tests of reports.
type Index struct {
	paths *Paths
	// words are the cases by a word of their name, titles by their whole title.
	words, titles map[string][]entry
	folders       map[string]string // of packages
	endings       map[string]string // of the files of classes
	strayCache    map[string]bool   // see Strays
	cases         []entry
}

// entry is a case, the number of the report that has it, and the file that it is of, "" where that is not known.
type entry struct {
	*Case
	report int
	path   string
}

// run is a test of a report, which may be tried several times.
type run struct {
	report                   int
	suite, class, name, file string
}

func (e entry) run() run { return run{e.report, e.Suite, e.Class, e.Name, e.File} }

// NewIndex finds the tests of reports in a tree.
func NewIndex(reports []*Tests, paths *Paths) *Index {
	x := &Index{paths: paths, words: map[string][]entry{}, titles: map[string][]entry{}, folders: map[string]string{},
		endings: map[string]string{}, strayCache: map[string]bool{}}
	for i, r := range reports {
		var written []string
		seen := map[string]bool{}
		for _, c := range r.Cases {
			for _, w := range []string{c.File, c.Class} {
				if !seen[w] && strings.Contains(path.Base(w), ".") {
					written, seen[w] = append(written, w), true
				}
			}
		}
		files := x.paths.Map(written, 1)
		for k := range r.Cases {
			c := &r.Cases[k]
			e := entry{c, i, files[c.File]}
			if c.File == "" && strings.ContainsAny(c.Class, "/") { // Vitest's
				e.path = files[c.Class]
			}
			x.add(e)
		}
	}
	return x
}

// maxWords is how many words of a name are looked at.
const maxWords = 12

func (x *Index) add(e entry) {
	x.cases = append(x.cases, e)
	for i, w := range words(e.Name) {
		if i == maxWords {
			break
		}
		if all := x.words[w]; len(all) == 0 || all[len(all)-1].Case != e.Case {
			x.words[w] = append(all, e)
		}
	}
	if title := plainTitle(e.Name); title != "" {
		x.titles[title] = append(x.titles[title], e)
	}
}

// words are the names in a text: letters, digits and underscores, the first no digit.
func words(text string) []string {
	all := strings.FieldsFunc(text, func(r rune) bool {
		return r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	return slices.DeleteFunc(all, func(w string) bool { return w[0] >= '0' && w[0] <= '9' })
}

// plainTitle is a title without case and separators between groups. Node's runner escapes quotes twice.
func plainTitle(titles ...string) string {
	return strings.ToLower(strings.Join(words(html.UnescapeString(strings.Join(titles, " "))), " "))
}

// Find finds a test.
func (x *Index) Find(t Test) Match {
	var m Match
	if t.HasUnknownName {
		return m
	}
	var sure []entry
	if t.IsTitled {
		sure = x.casesByTitle(t, &m)
	} else {
		for _, e := range x.words[t.Name] {
			switch x.matchCase(t, e) {
			case yes:
				sure = append(sure, e)
			case perhaps:
				m.Candidates++
			}
		}
	}
	m.Outcome = worstOutcome(sure)
	return m
}

// casesByTitle are the cases of a title: of the file, else of the whole title of all groups.
func (x *Index) casesByTitle(t Test, m *Match) []entry {
	groups := plainTitle(t.Groups...)
	full := plainTitle(append(slices.Clone(t.Groups), t.Name)...)
	if title := plainTitle(t.Name); title == "" {
		return nil
	}
	var ofFile, withoutFile []entry
	take := func(e entry) {
		switch e.path {
		case t.Path:
			ofFile = append(ofFile, e)
		case "":
			withoutFile = append(withoutFile, e)
		}
	}
	for _, e := range x.titles[full] {
		take(e)
	}
	if groups != "" {
		for _, e := range x.titles[plainTitle(t.Name)] {
			if around := plainTitle(e.Suite, e.Class); hasWords(around, groups) {
				take(e)
			} else if e.path == t.Path || e.path == "" {
				m.Candidates++
			}
		}
	}
	if len(ofFile) > 0 {
		return ofFile
	}
	m.IsByTitle = len(withoutFile) > 0
	return withoutFile
}

// hasWords reports whether a text contains words in one piece.
func hasWords(in, words string) bool { return strings.Contains(" "+in+" ", " "+words+" ") }

// worstOutcome is the worst outcome of all reports; a retried test counts with its best outcome in a report.
func worstOutcome(sure []entry) Outcome {
	best := map[run]Outcome{}
	rank := map[Outcome]int{Passed: 6, ExpectedFailure: 5, Unfinished: 4, Failed: 3, Skipped: 2, Disabled: 1}
	for _, e := range sure {
		if r := e.run(); rank[e.Outcome] > rank[best[r]] {
			best[r] = e.Outcome
		}
	}
	var all Outcome
	for _, o := range best {
		switch {
		case o == Failed:
			return Failed
		case rank[o] > rank[all]:
			all = o
		}
	}
	return all
}
