package judge

import (
	"context"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// A commit that ticks a box of a plan in Markdown claims the text of the box. The evidence is what the message reports
// about it. Without a report, it is the code that the box names: the commit's changes to it, else the changes since the
// box was last touched.

// maxBoxPlaces is how many places are used as evidence for one box.
const maxBoxPlaces = 20

// tick is a box that the commit ticks, and its evidence.
type tick struct {
	parser.Box
	file           string
	part           parser.Part
	claim          rules.Claim
	kind           evidence.Kind
	earlierCommits evidence.EarlierCommits
	hasAct         bool // an ACT of the same message claims it
}

type boxFile struct {
	path          string
	before, after []parser.Box
}

// boxFiles are the changed plans that existed before and exist now. A merge has none: the merged commits answer for
// theirs.
func (f *boxFinder) boxFiles() (all []boxFile) {
	if len(f.policy.Boxes) == 0 || f.base == nil || f.isMerge {
		return nil
	}
	for _, file := range f.changed() {
		if !snapshot.IsBoxFile(f.policy, file) {
			continue
		}
		before, hadFile := f.boxesAt(f.base, file)
		after, hasFile := f.boxesAt(&f.tree, file)
		if hadFile && hasFile {
			all = append(all, boxFile{file, before, after})
		}
	}
	return all
}

// ticks are the boxes that the commit ticks. It also records the boxes that lose their tick or are dropped.
func (s *subject) ticks(ctx context.Context) (all []*tick, err error) {
	f := &boxFinder{s, evidence.Reads{Ctx: ctx}}
	files := f.boxFiles()
	s.ticksByPart, s.droppedBoxes = map[*parser.Part]*tick{}, droppedBoxes(files)
	for _, changed := range files {
		for _, b := range changed.before {
			if current := boxIn(changed.after, &b); b.IsTicked && current != nil && !current.IsTicked {
				s.untickedBoxes = append(s.untickedBoxes, changed.path+"/"+b.ID)
			}
		}
		for _, b := range changed.after {
			before := boxIn(changed.before, &b)
			if !b.IsTicked || b.IsGroup || b.Text.Value == "" || before != nil && before.IsTicked {
				continue
			}
			if s.aboutFiles != nil && !f.isAbout(&b) {
				continue // not about the files in question
			}
			t := &tick{Box: b, file: changed.path, kind: evidence.Kind(parser.KindOf(b.Text.Value))}
			if f.claimBox(t); f.Err != nil {
				return nil, f.Err
			}
			all, s.ticksByPart[&t.part] = append(all, t), t
		}
	}
	groupUnclear(all)
	return all, f.Err
}

// boxFinder finds the boxes that a commit ticks, and their evidence. It keeps the first error.
type boxFinder struct {
	*subject
	evidence.Reads
}

func (f *boxFinder) changed() []string {
	paths, _, err := f.changedPaths(f.Ctx, false)
	f.Note(err)
	return paths
}

// file is a file of a tree; nil if it is missing, or without a tree.
func (f *boxFinder) file(tree *evidence.Tree, path string) []byte {
	if tree == nil {
		return nil
	}
	return evidence.ReadOf(&f.Reads, func() ([]byte, error) { return snapshot.File(f.Ctx, *tree, path) })
}

func (s *subject) judgeTicks(ctx context.Context, ticks []*tick, out *outcome) error {
	for _, t := range ticks {
		_, o, err := s.judgePart(ctx, &t.part, rules.Rules())
		if err != nil {
			return err
		}
		out.boxes = report.CountBox(out.boxes, t.file, o.Verdicts[0].Verdict)
		out.Add(o)
	}
	out.untickedBoxes = s.untickedBoxes
	return nil
}

// droppedBoxes are the ticked boxes that the commit takes away, or words anew.
func droppedBoxes(files []boxFile) (all []rules.DroppedBox) {
	var current []parser.Box
	for _, f := range files {
		current = append(current, f.after...)
	}
	for _, f := range files {
		for _, b := range f.before {
			isSame := func(o parser.Box) bool { return o.Text.Value == b.Text.Value }
			if !b.IsTicked || slices.ContainsFunc(current, isSame) {
				continue
			}
			d := rules.DroppedBox{File: f.path, ID: b.ID, Text: b.Text.Value, Line: 1}
			if i := slices.IndexFunc(f.after, func(o parser.Box) bool { return o.ID == b.ID }); i >= 0 {
				d.NewText, d.Line = f.after[i].Text.Value, f.after[i].Line()
			}
			all = append(all, d)
		}
	}
	return all
}

// boxesAt reads the boxes of a file of a tree; exists is false if the file is missing.
func (f *boxFinder) boxesAt(tree *evidence.Tree, file string) (all []parser.Box, exists bool) {
	data := f.file(tree, file)
	return parser.ParseBoxes(data), data != nil
}

// boxIn finds a box in another version of its file, by words and id, then id, then words; nil if none fits.
func boxIn(all []parser.Box, b *parser.Box) *parser.Box {
	for _, matches := range []func(o *parser.Box) bool{
		func(o *parser.Box) bool { return o.Text.Value == b.Text.Value && o.ID == b.ID },
		func(o *parser.Box) bool { return o.ID == b.ID },
		func(o *parser.Box) bool { return o.Text.Value == b.Text.Value },
	} {
		for i := range all {
			if matches(&all[i]) {
				return &all[i]
			}
		}
	}
	return nil
}

// claimBox makes the claim of a box, with its evidence.
func (f *boxFinder) claimBox(t *tick) {
	first := f.message.Parts[0]
	t.part = parser.Part{Kind: parser.PlanBox, Unit: parser.Text{Value: t.file + "/" + t.ID, Span: t.Text.Span}}
	t.part.Tier, t.part.Waivers, t.part.Actor = first.Tier, first.Waivers, first.Actor
	t.claim = rules.Claim{File: t.file, Claim: parser.Claim{Item: t.Text, Status: parser.Done, Source: parser.FromFile}}
	t.claim.Box = t.Place()
	for _, p := range f.message.Parts {
		for _, c := range slices.Concat(p.Claims, p.Unclaimed()) {
			if c.Item.Value == t.Text.Value || strings.HasPrefix(c.Item.Value, t.ID+" ") || p.Unit.Value == t.ID {
				t.claim.Evidence, t.claim.EvidenceText = append(t.claim.Evidence, c.Evidence...), c.EvidenceText
				t.hasAct = t.hasAct || p.Kind == parser.Act
			}
		}
	}
	if len(t.claim.Evidence) > 0 {
		return
	}
	names := namesOf(&t.Box)
	if len(names) == 0 {
		t.claim.UnclearReason = "it names no file or symbol"
		return
	}
	found := f.placesOf(f.base, f.changed(), names)
	if len(found) == 0 {
		found = f.earlierPlaces(t, names)
	}
	if t.isTrivial(found) {
		t.claim.UnclearReason = unclearTrivial
	}
	if t.claim.UnclearReason == "" {
		f.takeBest(t, found)
	}
}

// isTrivial reports whether places say nothing of a box: only comments change, and the box creates nothing; or only
// removed lines, and it removes nothing.
func (t *tick) isTrivial(places []boxPlace) bool {
	return len(places) > 0 && !slices.ContainsFunc(places, func(p boxPlace) bool {
		return !p.isTrivial || p.IsRemoved && evidence.SaysRemoval(t.Text.Value) || !p.IsRemoved &&
			parser.IsCreation(t.Text.Value)
	})
}

// namesOf are the files and symbols that a box certainly names; if its text names no file, also the files of its
// detail.
func namesOf(b *parser.Box) []parser.Name {
	all := parser.Names(b.Text.Value)
	isFile := func(n parser.Name) bool { return n.IsFile && n.IsSure }
	if !slices.ContainsFunc(all, isFile) {
		all = append(all, slices.DeleteFunc(parser.Names(b.Detail), func(n parser.Name) bool { return !isFile(n) })...)
	}
	return slices.DeleteFunc(all, func(n parser.Name) bool { return !n.IsSure || n.IsRoute })
}

// boxPlace is a place that may be evidence for a box. isNamed: the box names its symbol. isTrivial: it changes only
// comments, or removes lines. isFunction: its body may be empty.
type boxPlace struct {
	parser.Evidence
	isNamed, isTrivial, isFunction bool
}

// placesOf are the places of files that the box names, as they differ from an earlier tree; where it names no file,
// the definitions that it names of any of the files.
func (f *boxFinder) placesOf(from *evidence.Tree, files []string, names []parser.Name) (found []boxPlace) {
	byFile := slices.ContainsFunc(names, func(n parser.Name) bool { return n.IsFile })
	for _, file := range files {
		isNamed := slices.ContainsFunc(names, func(n parser.Name) bool { return n.IsFile && matchesPath(file, n.Text) })
		if snapshot.IsBoxFile(f.policy, file) || file == f.policy.Plan || byFile && !isNamed {
			continue
		}
		for _, p := range f.changedPlaces(from, file, names) {
			if byFile || p.isNamed {
				found = append(found, p)
			}
		}
	}
	if slices.ContainsFunc(found, func(p boxPlace) bool { return p.isNamed }) {
		found = slices.DeleteFunc(found, func(p boxPlace) bool { return !p.isNamed })
	}
	return found
}

// matchesPath reports whether a name is that of a file, of a folder above it, or leaves out folders above it.
func matchesPath(file, name string) bool {
	file, name = "/"+strings.ToLower(file), "/"+strings.Trim(strings.ToLower(strings.TrimPrefix(name, "./")), "/")
	return strings.HasSuffix(file, name) || strings.Contains(file, name+"/")
}

// changedPlaces are the places of a file that differ from an earlier tree: definitions, else lines, else the whole
// file.
func (f *boxFinder) changedPlaces(from *evidence.Tree, file string, names []parser.Name) (places []boxPlace) {
	whole := []boxPlace{{Evidence: parser.Evidence{Path: file}}}
	current := f.file(&f.tree, file)
	if current == nil {
		whole[0].IsRemoved = true
		return whole
	}
	before := evidence.Entry{Path: file}
	if from != nil {
		before = evidence.ReadOf(&f.Reads, func() (evidence.Entry, error) {
			return evidence.Origin(f.Ctx, from, &f.tree, file)
		})
	}
	old := f.file(from, before.Path)
	for _, all := range []bool{false, true} { // the second pass includes comments and removed lines
		found, err := evidence.Alterations(f.Ctx, file, old, current, all)
		if err != nil {
			return whole // it cannot be read by lines
		}
		for _, a := range found {
			name := a.Symbol[strings.LastIndexByte(a.Symbol, '.')+1:]
			isNamed := name != "" && slices.ContainsFunc(names, func(n parser.Name) bool {
				return n.Text == a.Symbol || n.Text[strings.LastIndexAny(n.Text, ".:#")+1:] == name
			})
			places = append(places,
				boxPlace{isNamed: isNamed, isTrivial: all, isFunction: a.IsFunction, Evidence: parser.Evidence{
					Path: file, Start: a.Line, End: a.EndLine, Symbol: a.Symbol, IsRemoved: a.IsRemoved,
				}})
		}
		if len(places) > 0 {
			return places
		}
	}
	if len(current) > 0 && (old == nil || before.Path == file && before.Mode == f.Stat(&f.tree, file).Mode) {
		return nil // it is as it was
	}
	return whole
}

// groupUnclear lets the first unclear claim of a file report all unclear claims of that file.
func groupUnclear(ticks []*tick) {
	ids := map[string][]string{}
	first := map[string]*tick{}
	for _, t := range ticks {
		if t.claim.UnclearReason == "" {
			continue
		}
		if first[t.file] == nil {
			first[t.file] = t
		}
		ids[t.file] = append(ids[t.file], t.ID)
	}
	for file, t := range first {
		t.claim.UnclearBoxes = ids[file]
	}
}

// judgedTicks judges, without rules, the claims of the boxes that a commit ticks, and lists the boxes that lose their
// tick. If a shallow clone cut off the parent, there are none. aboutFiles limits the claims to those that may rest on
// one of these files.
func (h *History) judgedTicks(
	ctx context.Context, c commit, p *policy.Policy, aboutFiles map[string]bool,
) (all []report.ClaimVerdict, unticked []string, err error) {
	if len(p.Boxes) == 0 || len(c.Parents) > 1 {
		return nil, nil, nil
	}
	sub, err := h.subject(ctx, c, p)
	if err != nil {
		return nil, nil, ignoreAbsent(err)
	}
	sub.aboutFiles = aboutFiles
	ticks, err := sub.ticks(ctx)
	for _, t := range ticks {
		_, out, err := sub.judgePart(ctx, &t.part, nil)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, out.Verdicts...)
	}
	return all, sub.untickedBoxes, err
}

// isAbout reports whether the claim of a box may rest on one of aboutFiles: it names one, or names no file and its
// commit changes one.
func (f *boxFinder) isAbout(b *parser.Box) bool {
	byFile := false
	for _, n := range namesOf(b) {
		for file := range f.aboutFiles {
			if n.IsFile && matchesPath(file, n.Text) {
				return true
			}
		}
		byFile = byFile || n.IsFile
	}
	return !byFile && slices.ContainsFunc(f.changed(), func(file string) bool { return f.aboutFiles[file] })
}
