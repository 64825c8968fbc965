package score

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/acta-git/acta/report"
)

// standings replays the entries of an actor from their beginning.
func standings(entries []Entry, actor string, from, to Day) []Standing {
	return Resume(SumByDay(entries, actor), Beginning(math.MinInt), from, to)
}

// scored are entries that give each day its points; 0 for a day on which nothing happened.
func scored(points ...int) []Entry {
	var all []Entry
	for day, n := range points {
		if n != 0 {
			all = append(all, Entry{Event: Event{Kind: Thumb, Actor: "executor-01", Day: Day(day)}, Points: n})
		}
	}
	return all
}

func targets(points ...int) []int {
	var all []int
	for _, s := range standings(scored(points...), "", 0, Day(len(points)-1)) {
		all = append(all, s.Target)
		if s.Floor != s.Target {
			panic("a floor is the highest target")
		}
	}
	return all
}

func TestTargets(t *testing.T) {
	for _, c := range []struct {
		name         string
		points, want []int
	}{
		{"the table", []int{75, 90, 60, 110, 120, 30}, []int{75, 82, 82, 84, 91, 91}},
		{"the least", []int{0, 10, -40}, []int{50, 50, 50}},
		{"the most", []int{499, 501, 900}, []int{499, 500, 500}},
		{"a half is rounded to the even", []int{75, 76}, []int{75, 76}},
		{"a half is rounded to the even below", []int{50, 75}, []int{50, 62}},
		{"only positive days count", []int{80, -100, 0, 90}, []int{80, 80, 80, 85}},
		{"of seven days", []int{60, 90, 90, 90, 90, 90, 90, 90}, []int{60, 75, 80, 82, 84, 85, 86, 90}},
		{"a day without anything raises it, where a low one leaves the window", []int{60, 0, 0, 0, 0, 0, 90, 0}, []int{60, 60, 60, 60, 60, 60, 75, 90}},
	} {
		if got := targets(c.points...); !slices.Equal(got, c.want) {
			t.Errorf("%s: days %v give targets %v, want %v", c.name, c.points, got, c.want)
		}
	}
}

func TestTiersAtTheirBoundaries(t *testing.T) {
	for _, c := range []struct {
		score, target, streak int
		penalty, reward       string
		interval              int
	}{
		{-21, 100, 0, "lockdown", "none", 8},
		{-20, 100, 0, "escalated", "none", 10},
		{-1, 100, 0, "escalated", "none", 10},
		{0, 100, 0, "tightened", "none", 12},
		{14, 100, 0, "tightened", "none", 12},
		{15, 100, 0, "warning", "none", 15},
		{24, 100, 0, "warning", "none", 15},
		{25, 100, 0, "none", "none", 15},
		{49, 100, 0, "none", "none", 15},
		{50, 100, 0, "none", "good", 17},
		{69, 100, 9, "none", "good", 17},
		{70, 100, 0, "none", "excellent", 20},
		{70, 100, 2, "none", "excellent", 20},
		{70, 100, 3, "none", "outstanding", 20},
		{89, 100, 2, "none", "excellent", 20},
		{90, 100, 0, "none", "outstanding", 20},
		// Against a target that percents do not divide.
		{-12, 57, 0, "lockdown", "none", 8}, {-11, 57, 0, "escalated", "none", 10},
		{8, 57, 0, "tightened", "none", 12}, {9, 57, 0, "warning", "none", 15},
		{14, 57, 0, "warning", "none", 15}, {15, 57, 0, "none", "none", 15},
		{28, 57, 0, "none", "none", 15}, {29, 57, 0, "none", "good", 17},
		{39, 57, 0, "none", "good", 17}, {40, 57, 0, "none", "excellent", 20},
		{51, 57, 0, "none", "excellent", 20}, {52, 57, 0, "none", "outstanding", 20},
	} {
		p, r := PenaltyOf(c.score, c.target), RewardOf(c.score, c.target, c.streak)
		if p.String() != c.penalty || r.String() != c.reward || Interval(p, r) != c.interval {
			t.Errorf("%d of %d after %d days: %v, %v, %d minutes; want %s, %s, %d", c.score, c.target, c.streak, p, r, Interval(p, r), c.penalty, c.reward, c.interval)
		}
	}
}

func TestStreakCountsTheDaysBefore(t *testing.T) {
	// The target is 50 up to the last day but one: 35 is 70% of it, 34 is not.
	days := standings(scored(35, 34, 35, 35, 35, 0, 35, 36), "", 0, 8)
	var streaks []int
	for _, s := range days {
		streaks = append(streaks, s.Streak)
	}
	if want := []int{0, 1, 0, 1, 2, 3, 0, 1, 2}; !slices.Equal(streaks, want) {
		t.Errorf("streaks %v, want %v", streaks, want)
	}
	if s := standings(scored(35, 35, 35, 35), "", 3, 3)[0]; s.Reward != Outstanding || s.Streak != 3 {
		t.Errorf("asked for by itself, a day stands otherwise: %+v", s)
	}
}

func TestADayWithoutAnythingHasNoScore(t *testing.T) {
	for _, s := range standings(scored(-40, 0), "", -1, 1) {
		if s.HasScore != (s.Day == 0) {
			t.Errorf("day %d: %+v", s.Day, s)
		}
		if !s.HasScore && (s.Penalty != NoPenalty || s.Reward != NoReward || s.Interval != 15 || s.Target != 50) {
			t.Errorf("a day without a score is judged: %+v", s)
		}
	}
	if got := standings(nil, "", 5, 4); got != nil {
		t.Errorf("days before the first: %v", got)
	}
}

// Days that lie centuries apart, as a forged date may, cost nothing.
func TestDatesMayLieFarApart(t *testing.T) {
	entries := []Entry{
		{Event: Event{Day: -1 << 60}, Points: 90}, {Event: Event{Day: 3}, Points: 10}, {Event: Event{Day: 1 << 60}, Points: 400},
	}
	got := standings(entries, "", 3, 3)
	if len(got) != 1 || got[0].Target != 90 || got[0].Streak != 0 {
		t.Errorf("got %+v", got)
	}
}

func TestDays(t *testing.T) {
	for _, c := range []struct{ at, want string }{
		{"1970-01-01T00:00:00Z", "1970-01-01"}, {"1969-12-31T23:59:59Z", "1969-12-31"}, {"1969-12-31T00:00:00Z", "1969-12-31"},
		{"2026-03-01T23:30:00-05:00", "2026-03-01"}, {"2024-02-29T00:00:00+14:00", "2024-02-29"},
	} {
		at, err := time.Parse(time.RFC3339, c.at)
		if err != nil {
			t.Fatal(err)
		}
		day, err := ParseDay(c.want)
		if err != nil || DayOf(at) != day || day.String() != c.want {
			t.Errorf("%s is %v, want %s (%v, %v)", c.at, DayOf(at), c.want, day, err)
		}
	}
	if first, _ := ParseDay("1970-01-02"); first != 1 {
		t.Errorf("the second day is %d", first)
	}
	if _, err := ParseDay("tomorrow"); err == nil {
		t.Error("tomorrow is a day")
	}
}

func claimed(item string, v report.Verdict, proofs ...string) Event {
	return Event{Kind: Landed, Actor: "executor-01", Day: 3, Time: time.Unix(100, 0), Commit: "c1", Unit: "M01/T01", Item: item, IsRequired: true, Verdict: v, Keys: proofs}
}

func with(e Event, change func(*Event)) Event {
	change(&e)
	return e
}

func total(events ...Event) int {
	sum := 0
	for _, e := range Entries(events) {
		sum += e.Points
	}
	return sum
}

func TestWhatEventsEarn(t *testing.T) {
	optional := func(e *Event) { e.IsRequired = false }
	contradicted := func(e *Event) { e.IsContradiction = true }
	refused := func(e *Event) { e.Kind, e.Commit, e.IsLocal = Refused, "", true }
	task := func(e *Event) { e.Kind, e.Commit, e.Unit = Task, "", "" }
	later := func(e *Event) { e.Commit, e.Time = "c2", time.Unix(200, 0) }
	nextDay := func(e *Event) { e.Time, e.Day = time.Unix(90_000, 0), 4 }
	bad := claimed("a", report.NotVerified)
	for _, c := range []struct {
		name   string
		events []Event
		want   int
	}{
		{"required", []Event{claimed("a", report.Verified, "p")}, 10},
		{"optional", []Event{with(claimed("a", report.Verified, "p"), optional)}, 5},
		{"not verified", []Event{bad}, -15},
		{"contradiction", []Event{with(bad, contradicted)}, -45},
		{"unclear", []Event{claimed("a", report.Unclear)}, -2},
		{"skipped", []Event{claimed("a", report.Skipped)}, 0},
		{"a run that holds", []Event{claimed("Ran: pytest", report.Verified)}, 0},
		{"thumbs", []Event{{Kind: Thumb, ID: "1", IsUp: true}, {Kind: Thumb, ID: "2"}}, -7},
		{"one thumb twice", []Event{{Kind: Thumb, ID: "1", IsUp: true}, {Kind: Thumb, ID: "1", IsUp: true, IsLocal: true}}, 3},

		{"the same span again", []Event{claimed("a", report.Verified, "p"), with(claimed("b", report.Verified, "p"), later)}, 10},
		{"the same span by another", []Event{claimed("a", report.Verified, "p"), with(claimed("a", report.Verified, "p"), func(e *Event) { e.Actor, e.Commit = "executor-02", "c2" })}, 10},
		{"crumbs", []Event{claimed("a", report.Verified, "p"), claimed("b", report.Verified, "p"), claimed("c", report.Verified, "p")}, 10},
		{"inside a wide one", []Event{claimed("a", report.Verified, "p", "q"), with(claimed("b", report.Verified, "q"), later)}, 10},
		{"beside a wide one", []Event{claimed("a", report.Verified, "p", "q"), with(claimed("b", report.Verified, "r"), later)}, 20},
		{"more than before", []Event{claimed("a", report.Verified, "p"), with(claimed("b", report.Verified, "p", "q"), later)}, 20},
		{"what was not verified took nothing", []Event{claimed("a", report.NotVerified, "p"), with(claimed("a", report.Verified, "p"), later)}, -5},
		{"one claim twice", []Event{bad, bad}, -15},
		{"one item of two commits", []Event{bad, with(bad, later)}, -30},
		{"one item twice in a joined message", []Event{bad, with(bad, func(e *Event) { e.Index = 1 })}, -30},

		{"refused", []Event{with(bad, refused)}, -15},
		{"refused and tried again", []Event{with(bad, refused), with(with(bad, refused), func(e *Event) { e.Time, e.Item = time.Unix(150, 0), " A " })}, -15},
		{"the worst of the refused", []Event{with(bad, refused), with(with(bad, refused), contradicted)}, -45},
		{"refused on two days", []Event{with(bad, refused), with(with(bad, refused), nextDay)}, -30},
		{"refused for two tasks", []Event{with(bad, refused), with(with(bad, refused), func(e *Event) { e.Unit = "M01/T02" })}, -30},
		{"refused and landed unchanged", []Event{with(bad, refused), bad}, -15},
		{"refused and landed the next day", []Event{with(bad, refused), with(bad, nextDay)}, -30},
		{"refused as false, and landed as unclear", []Event{with(bad, refused), claimed("a", report.Unclear)}, -17},
		{"refused, mended and landed", []Event{with(bad, refused), with(claimed("a", report.Verified, "p"), later)}, -5},

		{"a task", []Event{with(claimed("mail", report.Verified), task)}, 10},
		{"a task pays once a day", []Event{with(claimed("mail", report.Verified), task), with(with(claimed("mail", report.Verified), task), func(e *Event) { e.Time = time.Unix(500, 0) })}, 10},
		{"and again the next", []Event{with(claimed("mail", report.Verified), task), with(with(claimed("mail", report.Verified), task), nextDay)}, 20},
		{"a task that failed first", []Event{with(claimed("mail", report.NotVerified), task), with(with(claimed("mail", report.Unclear), task), func(e *Event) { e.Time = time.Unix(200, 0) }), with(with(claimed("mail", report.Verified), task), func(e *Event) { e.Time = time.Unix(300, 0) })}, -5},
	} {
		if got := total(c.events...); got != c.want {
			t.Errorf("%s: %d points, want %d", c.name, got, c.want)
		}
	}
}

func TestStandingTellsWhatWasFound(t *testing.T) {
	entries := Entries([]Event{
		claimed("a", report.Verified, "p"), claimed("b", report.Verified, "p"), claimed("c", report.Unclear),
		with(claimed("d", report.NotVerified), func(e *Event) { e.IsContradiction, e.Kind, e.IsLocal = true, Refused, true }),
		{Kind: Thumb, Actor: "executor-02", ID: "1", IsUp: true, Day: 3},
	})
	got := standings(entries, "executor-01", 3, 3)[0]
	want := Standing{Day: 3, HasScore: true, Sum: Sum{Score: -37, Local: -45, Bar: 8, Verified: 2, Unclear: 1, NotVerified: 1, Contradictions: 1}, Target: 50, Floor: 50, Penalty: Lockdown, Interval: 8,
		Lifetime: Lifetime{-37, 2, 1, 1}}
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if all := standings(entries, "", 3, 3)[0]; all.Score != -34 {
		t.Errorf("all together have %d", all.Score)
	}
	if entries[1].ZeroReason == "" && entries[2].ZeroReason == "" {
		t.Errorf("nothing says why the second claim on one span earned nothing: %+v", entries)
	}
}

// randomEvents are events of all kinds that meet often: few actors, items, days and proofs.
func randomEvents(random *rand.Rand) []Event {
	var all []Event
	pick := func(n int) string { return fmt.Sprint(random.IntN(n)) }
	for range random.IntN(60) {
		e := Event{
			Kind: Kind(1 + random.IntN(4)), Actor: pick(2), Day: Day(random.IntN(20)), Unit: pick(2), Item: pick(4), Index: random.IntN(2),
			IsRequired: random.IntN(2) == 0, IsLocal: random.IntN(2) == 0,
		}
		e.Time = time.Unix(int64(e.Day)*secondsOfDay+int64(random.IntN(3)), 0)
		switch e.Kind {
		case Thumb:
			e.ID, e.IsUp = pick(30), random.IntN(2) == 0
		default:
			e.Verdict = report.Verdict(1 + random.IntN(4))
			e.IsContradiction = e.Verdict == report.NotVerified && random.IntN(2) == 0
		}
		if e.Kind == Landed {
			e.Commit = pick(9)
			for range random.IntN(4) {
				e.Keys = append(e.Keys, pick(12))
			}
		}
		all = append(all, e)
	}
	return all
}

func TestArrivalMakesNoDifference(t *testing.T) {
	for seed := range uint64(2000) {
		random := rand.New(rand.NewPCG(7, seed))
		events := randomEvents(random)
		want := Entries(events)
		arrived := slices.Clone(events)
		for range random.IntN(10) { // some arrive twice
			if len(events) > 0 {
				arrived = append(arrived, events[random.IntN(len(events))])
			}
		}
		random.Shuffle(len(arrived), func(i, j int) { arrived[i], arrived[j] = arrived[j], arrived[i] })
		got := Entries(arrived)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: in another order\n%+v\nis not\n%+v", seed, got, want)
		}
		for _, actor := range []string{"", "0", "1"} {
			if a, b := standings(got, actor, 0, 30), standings(want, actor, 0, 30); !slices.Equal(a, b) {
				t.Fatalf("seed %d: %+v is not %+v", seed, a, b)
			}
		}
	}
}

// What is odd, the same claim with other content, is decided all the same.
func TestConflictingEventsAreDecidedInAnyOrder(t *testing.T) {
	a, b, after := claimed("a", report.Verified, "p"), claimed("a", report.Verified, "q"), with(claimed("b", report.Verified, "q"), func(e *Event) { e.Time = time.Unix(200, 0) })
	if x, y := total(a, b, after), total(b, a, after); x != y {
		t.Errorf("%d points or %d", x, y)
	}
}

func TestTheFloorNeverFallsAndASpanPaysOnce(t *testing.T) {
	rose, paid := 0, 0
	for seed := range uint64(2000) {
		random := rand.New(rand.NewPCG(8, seed))
		entries := Entries(randomEvents(random))
		for i := range entries { // so that targets rise at all
			entries[i].Points *= 20
		}
		days := standings(entries, "", -5, 40)
		for i := 1; i < len(days); i++ {
			if days[i].Floor < days[i-1].Floor || days[i].Target < days[i-1].Target {
				t.Fatalf("seed %d: the floor falls from %+v to %+v", seed, days[i-1], days[i])
			}
			if days[i].Floor > days[i-1].Floor {
				rose++
			}
		}
		// However a history is asked for, a day stands as it stands.
		from := Day(random.IntN(30))
		if part := standings(entries, "", from, from+3); !slices.Equal(part, days[from+5:from+9]) {
			t.Fatalf("seed %d: from day %d: %+v, and in the whole %+v", seed, from, part, days[from+5:from+9])
		}
		seen := map[string]bool{}
		for _, e := range entries {
			if e.Kind != Landed || e.Verdict != report.Verified {
				continue
			}
			fresh := false
			for _, p := range e.Keys {
				fresh, seen[p] = fresh || !seen[p], true
			}
			if fresh != (e.Points > 0) {
				t.Fatalf("seed %d: %+v", seed, e)
			}
			if fresh {
				paid++
			}
		}
	}
	if rose < 1000 || paid < 1000 {
		t.Errorf("%d rises, %d payments; the test asks too little", rose, paid)
	}
}

func BenchmarkReplay(b *testing.B) {
	var events []Event
	for i := range 100_000 {
		e := claimed(fmt.Sprint("item ", i%50), report.Verified, fmt.Sprint("proof ", i/2), fmt.Sprint("proof ", i/3))
		e.Day, e.Time, e.Commit, e.Actor = Day(i/500), time.Unix(int64(i), 0), fmt.Sprintf("%040x", i/5), fmt.Sprint("executor-", i%8)
		events = append(events, e)
	}
	for b.Loop() {
		standings(Entries(events), "", 0, 200)
	}
}

// What only one machine knows of counts for the day there, and raises the target nowhere; a task of the heartbeat is never anything else.
func TestLocalRaisesNoTarget(t *testing.T) {
	e := func(kind Kind, verdict report.Verdict, local bool, points int) Entry {
		return Entry{Event: Event{Kind: kind, Verdict: verdict, IsLocal: local}, Points: points}
	}
	for name, c := range map[string]struct {
		entry  Entry
		target int
	}{
		"landed":  {e(Landed, report.Verified, false, 100), 100},
		"refused": {e(Refused, report.NotVerified, true, -45), 90},
		"a vote":  {e(Thumb, 0, true, 30), 90},
		"a note":  {e(Thumb, 0, false, 30), 120},
		"a task":  {e(Task, report.Verified, true, 30), 120},
	} {
		entries := []Entry{c.entry}
		if name != "landed" {
			entries = append(entries, e(Landed, report.Verified, false, 90))
		}
		if s := standings(entries, "", 0, 0)[0]; s.Target != c.target {
			t.Errorf("%s: target %d, want %d", name, s.Target, c.target)
		}
	}
}

// What a log that is not as it was written says for somebody earns nothing, and eases nothing: the target stays what it was.
func TestWhatIsVoidEarnsNothingAndLowersNoTarget(t *testing.T) {
	var events []Event
	for i := range 9 {
		events = append(events, Event{Kind: Task, Actor: "a", Item: fmt.Sprint(i), IsRequired: true, Verdict: report.Verified, IsLocal: true})
	}
	thumb := Event{Kind: Thumb, Actor: "a", ID: "1", IsUp: true, IsLocal: true}
	for _, void := range []bool{false, true} {
		all := append(slices.Clone(events), thumb)
		for i := range all {
			all[i].IsVoid = void
		}
		s := standings(Entries(all), "a", 0, 0)[0]
		if want := 93; void && s.Score != 0 || !void && s.Score != want || s.Target != 90 || void == (s.Verified > 0) || !s.HasScore {
			t.Errorf("void %v: %+v", void, s)
		}
	}
}
