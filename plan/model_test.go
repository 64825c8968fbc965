package plan

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// model is the guard table once more, small and apart: units are rows, and each
// command says whether it is allowed and does it. It shares nothing with the package but the words.
type model struct{ rows []*row }

type row struct {
	id, up    string // up is the id above; "" below the root
	leaf      bool
	status    byte // p, i, c
	text      string
	needs     string // one dependency
	acted     bool   // its last ACT was whole and true
	replans   []string
	assessed  []string
	threshold int // quarters
	failed    bool
}

func (m *model) row(id string) *row {
	for _, r := range m.rows {
		if r.id == id {
			return r
		}
	}
	return nil
}

func (m *model) under(id string) (all []*row) {
	for _, r := range m.rows {
		if r.up == id {
			all = append(all, r)
			all = append(all, m.under(r.id)...)
		}
	}
	return all
}

func (m *model) over(r *row) (all []*row) {
	for r = m.row(r.up); r != nil; r = m.row(r.up) {
		all = append(all, r)
	}
	return all
}

func (m *model) milestone(r *row) bool { return r.up == "" && !r.leaf }

// waits reports whether a row, or one over it, needs what is open.
func (m *model) waits(r *row) bool {
	return slices.ContainsFunc(append(m.over(r), r), func(o *row) bool { d := m.row(o.needs); return d != nil && !isDone(d) })
}

func (m *model) slice(r *row) bool { return r != nil && r.up != "" && !r.leaf }

func isDone(r *row) bool { return r.status == 'c' }

func (m *model) wake(r *row) {
	for _, o := range m.over(r) {
		if o.status == 'p' {
			o.status = 'i'
		}
	}
}

func (m *model) complete(id string) bool {
	r := m.row(id)
	if isDone(r) || slices.ContainsFunc(m.over(r), isDone) || m.waits(r) {
		return false
	}
	under := m.under(id)
	switch {
	case r.leaf && (!r.acted || r.failed):
		return false
	case !r.leaf && (len(under) == 0 || !all(under, isDone) || m.milestone(r) && r.status == 'p'):
		return false
	}
	r.status = 'c'
	m.wake(r)
	return true
}

func all(rows []*row, f func(*row) bool) bool {
	return !slices.ContainsFunc(rows, func(r *row) bool { return !f(r) })
}

func (m *model) reopen(id string) bool {
	r := m.row(id)
	if !isDone(r) || m.milestone(r) || slices.ContainsFunc(m.over(r), isDone) {
		return false
	}
	for _, u := range append(m.under(id), r) {
		u.status = 'i'
		if u.leaf {
			u.status = 'p'
		}
	}
	m.wake(r)
	return true
}

func (m *model) add(up string, n *row) bool {
	if m.row(n.id) != nil {
		return false
	}
	n.up = up
	if p := m.row(up); p != nil {
		if isDone(p) || slices.ContainsFunc(m.over(p), isDone) {
			return false
		}
		if m.waits(p) { // only milestones need others
			return false
		}
		p.leaf = false
	}
	m.rows = append(m.rows, n)
	return true
}

func (m *model) reword(id, text string) bool {
	r := m.row(id)
	if isDone(r) && r.text != text {
		return false
	}
	r.text = text
	return true
}

func (m *model) remove(id string) bool {
	gone := append(m.under(id), m.row(id))
	for _, r := range gone {
		if isDone(r) || slices.ContainsFunc(m.rows, func(o *row) bool { return o.needs == r.id && !slices.Contains(gone, o) }) {
			return false
		}
	}
	m.rows = slices.DeleteFunc(m.rows, func(r *row) bool { return slices.Contains(gone, r) })
	return true
}

func (m *model) replan(slice, blocker string) bool {
	s, b := m.row(slice), m.row(blocker)
	if !m.slice(s) || isDone(s) || !b.leaf || !slices.Contains(m.over(b), s) || !isDone(b) {
		return false
	}
	if !slices.Contains(s.replans, blocker) {
		s.replans = append(s.replans, blocker)
	}
	return true
}

func (m *model) reassess(milestone, slice string) bool {
	r, s := m.row(milestone), m.row(slice)
	if !m.milestone(r) || r.status != 'i' || !m.slice(s) || !slices.Contains(m.over(s), r) || !isDone(s) {
		return false
	}
	if !slices.Contains(r.assessed, slice) {
		r.assessed = append(r.assessed, slice)
	}
	return true
}

func (m *model) set(id string, status byte, by string) bool {
	r := m.row(id)
	own := by == id || slices.ContainsFunc(m.over(m.row(by)), func(o *row) bool { return o == r })
	switch {
	case r.status == status:
		// an ADAPT of a complete unit that changes nothing completes it twice
		return !isDone(m.row(by))
	case isDone(r) || !own:
		return false
	case status != 'c':
		if slices.ContainsFunc(m.over(r), isDone) {
			return false
		}
		r.status = status
		return true
	}
	before := make([]byte, len(m.rows))
	for i, o := range m.rows {
		before[i] = o.status
	}
	ok := m.complete(id)
	for i, o := range m.rows { // an edit by hand wakes nobody
		if o != r {
			o.status = before[i]
		}
	}
	return ok
}

func (m *model) raise(id string, quarters int, by string) bool {
	r := m.row(id)
	need := 0
	if r.leaf && r.failed && by == id && r.threshold < 4 {
		need = min(4, r.threshold+1)
	}
	if quarters < r.threshold || quarters < need { // not even the parent, which plans nothing else here
		return false
	}
	if quarters == r.threshold && isDone(m.row(by)) {
		return false // nothing changes
	}
	r.threshold = quarters
	return true
}

func (m *model) clone() *model {
	c := &model{}
	for _, r := range m.rows {
		o := *r
		o.replans, o.assessed = slices.Clone(r.replans), slices.Clone(r.assessed)
		c.rows = append(c.rows, &o)
	}
	return c
}

// draw prints both sides in one form.
func (m *model) draw(up string, depth int) string {
	var b strings.Builder
	for _, r := range m.rows {
		if r.up == up {
			fmt.Fprintf(&b, "%s%s %c %q %d %v %v\n", strings.Repeat(" ", depth), r.id, r.status, r.text, r.threshold, r.replans, r.assessed)
			b.WriteString(m.draw(r.id, depth+1))
		}
	}
	return b.String()
}

func drawUnits(units []*Unit, depth int) string {
	var b strings.Builder
	for _, u := range units {
		var replans, assessed []string
		for _, r := range u.Replans {
			replans = append(replans, r.Other)
		}
		for _, a := range u.Assessments {
			assessed = append(assessed, a.Other)
		}
		fmt.Fprintf(&b, "%s%s %c %q %d %v %v\n", strings.Repeat(" ", depth), u.ID, u.Status[0], u.Description, int(u.FailureThreshold*4), replans, assessed)
		b.WriteString(drawUnits(u.Children, depth+1))
	}
	return b.String()
}

// walk is one random sequence of commands, told to both.
type walk struct {
	*rand.Rand
	model *model
	root  *Unit
	n     int
}

func (w *walk) any(fit func(*row) bool) string {
	var ids []string
	for _, r := range w.model.rows {
		if fit == nil || fit(r) {
			ids = append(ids, r.id)
		}
	}
	if len(ids) == 0 {
		return ""
	}
	return ids[w.IntN(len(ids))]
}

func (w *walk) LastAct(_ context.Context, key string) (Act, error) {
	r := w.model.row(key[strings.LastIndexByte(key, '/')+1:])
	if r == nil || !r.acted && !r.failed {
		return Act{}, nil
	}
	return Act{Commit: "c", Items: reported("a"), HasFailed: r.failed}, nil
}

// step makes one command, and says what it was, whether the model allows it and what the package would make of it.
func (w *walk) step() (what string, allowed bool, after *model, c Change, err error) {
	after = w.model.clone()
	id := w.any(nil)
	by := func(units ...string) Change { return Change{Before: w.root, After: w.root.Clone(), Adapts: units} }
	k := w.IntN(12)
	if w.any(func(r *row) bool { return after.slice(r) && isDone(r) }) != "" && w.IntN(4) == 0 {
		k = 8 // such a slice is seldom there for long
	}
	switch {
	case k < 2:
		ready := func(r *row) bool {
			return !isDone(r) && !r.leaf && len(after.under(r.id)) > 0 && all(after.under(r.id), isDone)
		}
		last := func(r *row) bool { return r.acted && !isDone(r) && after.slice(after.row(r.up)) }
		for _, fit := range []func(*row) bool{last, ready} {
			if better := w.any(fit); better != "" && w.IntN(3) > 0 {
				id = better
			}
		}
		c, err = CompleteUnit(w.root, id)
		return "complete " + id, after.complete(id), after, c, err
	case k == 2:
		c, err = ReopenUnit(w.root, id)
		return "reopen " + id, after.reopen(id), after, c, err
	case k < 5:
		return w.addStep(after)
	case k == 5:
		text := fmt.Sprint("text ", w.IntN(3))
		c = by("R")
		c.After.Find(id).Description = text
		return "reword " + id, after.reword(id, text), after, c, nil
	case k == 6:
		c = by("R")
		detach(c.After, id)
		return "remove " + id, after.remove(id), after, c, nil
	case k == 7:
		slice, blocker := w.any(func(r *row) bool { return !r.leaf }), w.any(func(r *row) bool { return r.leaf })
		if done := w.any(func(r *row) bool { return r.leaf && isDone(r) && after.slice(after.row(r.up)) }); done != "" && w.IntN(4) > 0 {
			blocker, slice = done, after.row(done).up
		}
		if slice == "" || blocker == "" {
			return "", true, after, by("R"), nil
		}
		c, err = ReplanSlice(w.root, slice, blocker, "", "")
		return "replan " + slice + " " + blocker, after.replan(slice, blocker), after, c, err
	case k == 8:
		milestone, slice := w.any(after.milestone), w.any(func(r *row) bool { return !r.leaf })
		if done := w.any(func(r *row) bool { return after.slice(r) && isDone(r) }); done != "" && w.IntN(4) > 0 {
			slice, milestone = done, w.any(func(r *row) bool { return slices.Contains(after.over(after.row(done)), r) || w.IntN(9) == 0 })
		}
		if milestone == "" {
			return "", true, after, by("R"), nil
		}
		c, err = ReassessMilestone(w.root, milestone, slice, "", "")
		return "reassess " + milestone + " " + slice, after.reassess(milestone, slice), after, c, err
	case k == 9:
		q, who := w.IntN(5), w.any(nil)
		c = by(who)
		c.After.Find(id).FailureThreshold = float64(q) / 4
		ok := after.raise(id, q, who)
		return fmt.Sprint("threshold ", id, " ", q, " by ", who), ok && (who == id || after.raise(who, after.row(who).threshold, who) || isDone(after.row(who))), after, c, nil
	}
	status, who := []byte("pic")[w.IntN(3)], w.any(nil)
	c = by(who)
	c.After.Find(id).Status = map[byte]string{'p': Pending, 'i': InProgress, 'c': Complete}[status]
	ok := after.set(id, status, who)
	// Whoever adapts after a failure must raise, whatever else it does.
	ok = ok && (isDone(w.model.row(who)) || after.raise(who, after.row(who).threshold, who) || isDone(after.row(who)))
	return fmt.Sprintf("set %s %c by %s", id, status, who), ok, after, c, nil
}

func (w *walk) addStep(after *model) (string, bool, *model, Change, error) {
	w.n++
	n := &row{id: fmt.Sprint("U", w.n), leaf: w.IntN(3) > 0, status: 'p'}
	up := w.any(nil)
	switch parent := w.any(func(r *row) bool { return !r.leaf && !isDone(r) }); {
	case w.IntN(3) == 0:
		up = ""
	case parent != "" && w.IntN(3) > 0:
		up = parent
	}
	u := &Unit{ID: n.id, Type: Parent}
	if n.leaf {
		u.Type = Atomic
	}
	if d := w.any(func(r *row) bool { return r.up == "" }); up == "" && !n.leaf && d != "" && w.IntN(2) == 0 {
		n.needs, u.DependsOn = d, []string{d}
	}
	c, err := AddUnit(w.root, up, u)
	return "add " + n.id + " below " + up, after.add(up, n), after, c, err
}

func detach(u *Unit, id string) {
	u.Children = slices.DeleteFunc(u.Children, func(c *Unit) bool { return c.ID == id })
	for _, c := range u.Children {
		detach(c, id)
	}
}

// Thousands of random commands: what the package allows is what the model allows, and leads where the model goes.
func TestThePackageIsTheModel(t *testing.T) {
	allowed, refused := map[string]int{}, map[string]int{}
	for seed := range uint64(500) {
		w := &walk{Rand: rand.New(rand.NewPCG(seed, 7)), model: &model{}, root: &Unit{ID: "R", Type: Parent, Status: InProgress}}
		var told []string
		for range 60 {
			if len(w.model.rows) == 0 || len(w.model.rows) < 4 && w.IntN(2) == 0 {
				w.take(t, &told, allowed, refused, w.addStep)
				continue
			}
			if r := w.model.row(w.any(nil)); r.leaf && !isDone(r) && w.IntN(3) == 0 { // it acts
				r.acted, r.failed = w.IntN(5) > 0, w.IntN(6) == 0
			}
			w.take(t, &told, allowed, refused, func(*model) (string, bool, *model, Change, error) { return w.step() })
		}
	}
	for _, verb := range []string{"complete", "reopen", "add", "reword", "remove", "replan", "reassess", "set", "threshold"} {
		if allowed[verb] < 20 || refused[verb] < 20 && verb != "threshold" {
			t.Errorf("%s was allowed %d times and refused %d times; the walk is too narrow", verb, allowed[verb], refused[verb])
		}
	}
}

func (w *walk) take(t *testing.T, told *[]string, allowed, refused map[string]int, step func(*model) (string, bool, *model, Change, error)) {
	t.Helper()
	what, ok, after, c, err := step(w.model.clone())
	if what == "" {
		return
	}
	*told = append(*told, what)
	if err != nil {
		t.Fatalf("%v\n%s", err, strings.Join(*told, "\n"))
	}
	c.History = w
	found, err := Check(t.Context(), c)
	found = slices.DeleteFunc(found, func(v *Violation) bool { return v.Rule == RuleScopeReduced }) // it is legal
	if err != nil || ok != (len(found) == 0) {
		t.Fatalf("the model says %v, the package %q (%v) to the last of\n%s\non\n%s", ok, said(found), err, strings.Join(*told, "\n"), w.model.draw("", 0))
	}
	verb, _, _ := strings.Cut(what, " ")
	if !ok {
		refused[verb]++
		return
	}
	allowed[verb]++
	w.model, w.root = after, c.After
	if got, want := drawUnits(w.root.Children, 0), w.model.draw("", 0); got != want {
		t.Fatalf("after\n%s\ngot\n%s\nwant\n%s", strings.Join(*told, "\n"), got, want)
	}
}
