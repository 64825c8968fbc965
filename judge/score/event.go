package score

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/acta-git/acta/report"
)

// Kind is the kind of an event.
type Kind uint8

// The kinds. The zero value is none.
const (
	// Landed is a claim of a commit that is on the branch.
	Landed Kind = iota + 1
	// Refused is a claim that a hook refused.
	Refused
	// Task is a task of the heartbeat that was verified; Item is its id.
	Task
	// Thumb is a person's feedback; ID is its own.
	Thumb
)

// Event is something that is worth points. Its JSON is that of a claim in a report.
type Event struct {
	Kind Kind `json:"-"`
	// Commit is the commit's full id, "" without one.
	Commit string `json:"commit"`
	// Time orders events by the second: the committer's date of a landed claim, else the time of recording.
	Time time.Time `json:"time"`
	// Rank orders landed claims of one second: a commit has a greater rank than its parents.
	Rank int `json:"rank"`
	// Index counts the claims of a commit, which may report an item of a unit more than once when several were joined.
	Index int    `json:"index"`
	Actor string `json:"actor"`
	// Unit is the key of the plan's unit, Item the claimed item, as written.
	Unit string `json:"unit"`
	Item string `json:"item"`
	// IsRequired: the item is not optional.
	IsRequired bool `json:"required"`
	// Verdict is that on the claim or task; none for feedback.
	Verdict         report.Verdict `json:"verdict"`
	IsContradiction bool           `json:"contradiction"`
	// Evidence is the citation; Reason says why it is not verified, or who voted. Both are for readers, and count for
	// nothing.
	Evidence string `json:"evidence"`
	Reason   string `json:"reason"`
	// Keys identify the content of each cited definition. A verified claim earns points if one of them is new: code is
	// paid for once. A claim without keys, such as a run, earns nothing.
	Keys []string `json:"keys"`
	// PickedFrom are the commits from which the commit was cherry-picked.
	PickedFrom []string `json:"picked"`
	// Day is the day on which it counts.
	Day Day `json:"-"`
	// IsUp is a thumb's direction, ID its identity.
	IsUp bool   `json:"-"`
	ID   string `json:"-"`
	// IsLocal: only this repository's local state knows of it.
	IsLocal bool `json:"-"`
	// IsVoid: its log was changed, so it earns nothing.
	IsVoid bool `json:"-"`
}

// Entry is an event and its points.
type Entry struct {
	Event
	Points int
	// ZeroReason says why a verified claim or task earned nothing; "" if it earned points.
	ZeroReason string
}

// Entries gives events their points, the oldest first. The same event counts once:
//
//   - a landed claim by commit, unit, item and place;
//   - a refused one by actor, unit, item and day, the worst of them, and not at all where it landed that day no better;
//   - a task by actor, id and day, at most once for good and once for bad;
//   - a thumb by its id.
func Entries(events []Event) []Entry {
	sorted := make([]*Event, len(events))
	for i := range events {
		sorted[i] = &events[i]
	}
	slices.SortFunc(sorted, compare)
	landed := worstLanded(sorted)
	seen, paid := make(map[identity]bool, len(events)), make(map[string]bool, len(events))
	once := slices.DeleteFunc(sorted, func(e *Event) bool {
		id := e.identity()
		if seen[id] || e.Kind == Refused && landed[e.claimOfDay()] <= e.Worth() {
			return true
		}
		seen[id] = true
		return false
	})
	// They are ordered by kind, refused claims with the worst first.
	slices.SortStableFunc(once, func(a, b *Event) int { return cmp.Compare(a.Time.Unix(), b.Time.Unix()) })
	all := make([]Entry, len(once))
	for i, e := range once {
		all[i] = e.earn(paid)
	}
	return all
}

// Worth is the event's points, even if it is not paid.
func (e *Event) Worth() int {
	switch {
	case e.Kind == Thumb && e.IsUp:
		return ThumbUp
	case e.Kind == Thumb:
		return ThumbDown
	}
	return Points(e.Verdict, e.IsContradiction, e.IsRequired)
}

// earn gives the event its points, and notes the paid keys.
func (e *Event) earn(paid map[string]bool) Entry {
	out := Entry{Event: *e, Points: e.Worth()}
	if e.IsVoid {
		out.Points, out.ZeroReason = 0, "its log was changed"
		return out
	}
	if e.Kind != Landed || e.Verdict != report.Verified {
		return out
	}
	isNew := slices.ContainsFunc(e.Keys, func(key string) bool { return !paid[key] })
	for _, key := range e.Keys {
		paid[key] = true
	}
	if !isNew {
		out.Points, out.ZeroReason = 0, ZeroReason(e.Keys)
	}
	return out
}

// ZeroReason says why a verified claim with these keys earned nothing.
func ZeroReason(keys []string) string {
	if len(keys) == 0 {
		return "it cites nothing that counts"
	}
	return "already counted"
}

// identity is equal for events that count once.
type identity struct {
	kind   Kind
	owner  string // the commit, or the actor
	unit   string
	item   string
	place  int // or the day
	isGood bool
}

func (e *Event) identity() identity {
	switch e.Kind {
	case Thumb:
		return identity{kind: Thumb, owner: e.ID}
	case Refused, Task:
		id := e.claimOfDay()
		id.kind, id.isGood = e.Kind, e.Worth() > 0
		return id
	}
	return identity{kind: e.Kind, owner: e.Commit, unit: e.Unit, item: e.Item, place: e.Index}
}

// claimOfDay names an item that an actor claims on a day, however often.
func (e *Event) claimOfDay() identity {
	return identity{owner: e.Actor, unit: e.Unit, item: ItemName(e.Item), place: int(e.Day)}
}

// ItemName is equal for items that share one penalty: their letters and digits, without case.
func ItemName(item string) string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, item)
	if name == "" {
		return item
	}
	return name
}

// worstLanded are the points of the worst landed claim of each item and day, if negative.
func worstLanded(events []*Event) map[identity]int {
	worst := map[identity]int{}
	for _, e := range events {
		if n := e.Worth(); e.Kind == Landed && n < 0 {
			id := e.claimOfDay()
			worst[id] = min(worst[id], n)
		}
	}
	return worst
}

// compare is a total order, so that the order of arrival does not matter: by time; refused claims and tasks, which
// count once a day, by their worst; void events last.
func compare(a, b *Event) int {
	if first := cmp.Or(cmp.Compare(a.Kind, b.Kind), a.compareWorst(b), cmp.Compare(a.Time.Unix(), b.Time.Unix()),
		cmp.Compare(a.Rank, b.Rank)); first != 0 {
		return first
	}
	if place := cmp.Or(cmp.Compare(a.Commit, b.Commit), cmp.Compare(a.Index, b.Index), cmp.Compare(a.Unit, b.Unit),
		cmp.Compare(a.Item, b.Item)); place != 0 {
		return place
	}
	return cmp.Or(
		cmp.Compare(a.Actor, b.Actor), cmp.Compare(a.Day, b.Day), cmp.Compare(a.Worth(), b.Worth()),
		cmp.Compare(a.Verdict, b.Verdict), cmp.Compare(a.ID, b.ID), slices.Compare(a.Keys, b.Keys),
		CompareBool(a.IsLocal, b.IsLocal), cmp.Compare(a.Reason, b.Reason),
	)
}

func (e *Event) compareWorst(other *Event) int {
	if e.Kind == Refused || e.Kind == Task {
		return cmp.Or(cmp.Compare(e.Worth(), other.Worth()), CompareBool(e.IsVoid, other.IsVoid))
	}
	return 0
}

// CompareBool puts false before true.
func CompareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
