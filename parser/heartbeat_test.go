package parser

import (
	"fmt"
	"strings"
	"testing"
)

// shown is what a file says: a line a task, then a line a malformed one.
func shown(h *Heartbeat) string {
	var b strings.Builder
	for _, t := range h.Tasks {
		fmt.Fprintf(&b, "%d %s checked=%v optional=%v %d [%s] %s\n", t.Line, t.ID, t.IsChecked, t.IsOptional, t.MaxAttempts, t.Verify, t.Description)
	}
	for _, m := range h.Malformed {
		fmt.Fprintf(&b, "%d:%d! %s\n", m.At.Line, m.At.Column, m.Message)
	}
	return b.String()
}

// noTask is what is said of an item with neither box nor bars.
const noTask = "an item of the list is a task, a note is a paragraph or stands below its task; write " + taskForm + "\n"

func TestTasksOfAHeartbeat(t *testing.T) {
	for name, c := range map[string]struct{ file, want string }{
		"the form": {
			"## Tasks\n\n- [ ] check_email | Check for mail | required | verify: email_count\n" +
				"- [x] brief | Prepare the brief | optional | verify: `src/a.py:3-9` | max_attempts: 5\n",
			"3 check_email checked=false optional=false 3 [email_count] Check for mail\n" +
				"4 brief checked=true optional=true 5 [src/a.py:3-9] Prepare the brief\n",
		},
		"defaults, in any order and case": {
			"## tasks ##\n* [X] a | b\n1. [ ] c | d | MAX_ATTEMPTS: 2 | Verify:x:y | Optional |\n",
			"2 a checked=true optional=false 3 [] b\n3 c checked=false optional=true 2 [x:y] d\n",
		},
		"ids are made slugs": {
			"## Tasks\n- [ ] Check the  E-Mail! | a\n- [ ] `Über`_2 | b\n- [ ] --- | c\n- [ ] " + strings.Repeat("x", 201) + " | d\n",
			"2 check_the_e-mail checked=false optional=false 3 [] a\n3 über_2 checked=false optional=false 3 [] b\n" +
				"4:3! the id, before the first bar, has neither letter nor digit\n" +
				"5:3! the id is longer than 200 bytes; write a shorter one before the first bar\n",
		},
		"a bar in code or behind a backslash separates nothing": {
			"## Tasks\n- [ ] a | `x | y` and \\| and `\\` | optional\n- [ ] b | lone ` tick | optional\n- [ ] c | d \\\\| optional\n",
			"2 a checked=false optional=true 3 [] `x | y` and | and `\\`\n3 b checked=false optional=true 3 [] lone ` tick\n" +
				"4 c checked=false optional=true 3 [] d \\\\\n",
		},
		"what is no task": {
			"- [ ] a | before\n\n## Tasks\n\n```\n- [ ] b | fenced\n```\n\n~~~md\n- [ ] c | fenced\n~~~\n\n<!--\n- [ ] d | comment\n-->\n\n> - [ ] e | quoted\n\n" +
				"    - [ ] f | code\n\na note\n[docs](x) | a | link\ntwo words | a note\n\n| a | table |\n\n### Daily\n- [ ] g | task\n\n## Other\n- [ ] h | other\n\n# Tasks\n- [ ] i | higher\n\nTasks\n-----\n- [ ] j | k\n",
			"28 g checked=false optional=false 3 [] task\n38 j checked=false optional=false 3 [] k\n",
		},
		"a fence that is not closed takes all": {"## Tasks\n- [ ] a | b\n```\n- [ ] c | d\n", "2 a checked=false optional=false 3 [] b\n"},
		"items below": {
			"## Tasks\n- [ ] a | b\n  a note\n  - [ ] a step\n  - [x] c | d\n",
			"2 a checked=false optional=false 3 [] b\n",
		},
		"CRLF, and a byte order mark": {
			"\ufeff## Tasks\r\n- [x] a | b | verify: c\r\n", "2 a checked=true optional=false 3 [c] b\n",
		},
		"malformed": {
			"## Tasks\n- [ ] no bars\n- [y] a | b\n- [] c | d\n- [x]e | f\n- [ ] | g\n- [ ] h |\n- [ ] i | j | sometimes\n- [ ] k | l | max_attempts: 0\n" +
				"- [ ] m | n | max_attempts: 1e3\n- [ ] o | p | verify:\n- [ ] q | r | required | optional\n- s | t | optional\n",
			"2 no_bars checked=false optional=false 3 [] no bars\n" +
				"3:3! the box is «[ ]» or «[x]», and a blank follows it\n4:3! the box is «[ ]» or «[x]», and a blank follows it\n" +
				"5:3! the box is «[ ]» or «[x]», and a blank follows it\n" +
				"6:3! the id, before the first bar, has neither letter nor digit\n7:3! the description, after the first bar, is empty\n" +
				"8:3! \"sometimes\" is not a field of a task; the fields are required, optional, verify: and max_attempts:\n" +
				"9:3! max_attempts must be a number from 1 to 1000, not \"0\"\n10:3! max_attempts must be a number from 1 to 1000, not \"1e3\"\n" +
				"11:3! verify: names nothing; write a verifier of the policy, path:line-end or unit:KEY, or leave it out\n" +
				"12:3! \"optional\": the line has a field for that already\n13:3! a task begins with its box; write - [ ] s | t | optional\n",
		},
		"without a bar the text is id and description": {
			"## Tasks\n- [x] onlyid\n- [ ] Check the `new` mails!\n- [ ] ---\n- [ ] onlyid | again\n",
			"2 onlyid checked=true optional=false 3 [] onlyid\n3 check_the_new_mails checked=false optional=false 3 [] Check the `new` mails!\n" +
				"4:3! the id, before the first bar, has neither letter nor digit\n5:3! the id onlyid is that of the task in line 2; each task has its own\n",
		},
		"duplicates": {
			"## Tasks\n- [ ] a-b | c\n- [x] A-B | d\n",
			"2 a-b checked=false optional=false 3 [] c\n3:3! the id a-b is that of the task in line 2; each task has its own\n",
		},
		"one line, in a list": {
			"## Tasks\n- [ ] a | b\n  | required\n\n-[ ] c | d\n[ ] e | f\n\n- [] g | h\n-[ ] i | j\n- k_1 | l\n- [done] m | n\n",
			"2 a checked=false optional=false 3 [] b\n3:3! a task is one line; lines below it must not have bars\n" +
				"5:1! a task is an item of a list; write - [ ] c | d\n6:1! a task is an item of a list; write - [ ] e | f\n" +
				"8:3! the box is «[ ]» or «[x]», and a blank follows it\n9:1! a task is an item of a list; write - [ ] i | j\n" +
				"10:3! a task begins with its box; write - [ ] k_1 | l\n" +
				"11:3! a task begins with its box; write - [ ] [done] m | n\n",
		},
		"an item that is no task": {
			"## Tasks\nprose\n\n- malformed\n- [ ] a | b\n  - a note\n  - [docs](x) | a note with bars\n\n  a paragraph of it\n- [docs](x) | a | link\n- two words | c\n" +
				"- [y] d\n1. e\n   - [ ] f | g\n\n- ```\n  - h\n  ```\n- > - i\n- <!-- j -->\n-\n- k <!-- l -->\n\n## Notes\n- m\n",
			"5 a checked=false optional=false 3 [] b\n" + "4:3! " + noTask +
				"10:3! a task begins with its box; write - [ ] [docs](x) | a | link\n11:3! a task begins with its box; write - [ ] two words | c\n" +
				"12:3! the box is «[ ]» or «[x]», and a blank follows it\n13:4! " + noTask + "22:3! " + noTask,
		},
		"nothing": {"", ""},
	} {
		h := ParseHeartbeat([]byte(c.file))
		if got := shown(h); got != c.want {
			t.Errorf("%s:\n%swant\n%s", name, got, c.want)
		}
		check(t, h, c.file)
	}
}

// check holds a file to what always holds.
func check(t *testing.T, h *Heartbeat, file string) {
	t.Helper()
	if h.String() != file {
		t.Errorf("%q prints back as %q", file, h)
	}
	ids := map[string]bool{}
	for _, task := range h.Tasks {
		if ids[task.ID] || task.ID == "" || slug(task.ID) != task.ID || strings.ContainsAny(task.ID, "/\\.") {
			t.Errorf("%q: the id %q", file, task.ID)
		}
		ids[task.ID] = true
		if task.MaxAttempts < 1 || task.MaxAttempts > maxAttempts || h.Find(task.ID) == nil {
			t.Errorf("%q: %+v", file, task)
		}
	}
	for _, m := range h.Malformed {
		if m.Message == "" || m.At.Line < 1 || m.At.Offset > len(file) {
			t.Errorf("%q: %+v", file, m)
		}
	}
}

func FuzzHeartbeat(f *testing.F) {
	for _, s := range []string{
		"## Tasks\n- [x] a b | `c|d` \\| e | optional | verify: `x:1-2` | max_attempts: 7\n", "## Tasks\r\n1) [ ] a|b\r\n\t- [X] c|d|verify:\\||\n",
		"Tasks\n---\n- [ ] \\|x | y\n  > z\n", "## Tasks\n- [ ] a | b\n\tc | d\n- - - [x] e | f\n", "## Tasks\n- [ ] ` | `` | verify: `\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, file string) { check(t, ParseHeartbeat([]byte(file)), file) })
}

// Files made to hurt are read in time that grows with their size.
func TestHostileHeartbeats(t *testing.T) {
	const size = MaxHeartbeat
	fill := func(head, again string) string { return head + strings.Repeat(again, (size-len(head))/len(again)) }
	var ticks, stairs strings.Builder
	for n := 1; ticks.Len() < size-2000; n++ {
		ticks.WriteString(strings.Repeat("`", n) + " ")
	}
	for n := range 700 {
		stairs.WriteString(strings.Repeat("  ", n) + "- a\n")
	}
	for name, file := range map[string]string{
		"brackets": fill("## Tasks\n- [ ] ", "["), "ticks": "## Tasks\n- [ ] a | " + ticks.String(), "bars": fill("## Tasks\n- [ ] a", "|"),
		"lists": fill("## Tasks\n"+strings.Repeat("- ", 200_000)+"a\n", "\n"), "numbers": fill("## Tasks\n", "1. "), "stairs": fill("## Tasks\n"+stairs.String(), "\n"),
		"quotations": fill("## Tasks\n"+strings.Repeat(">", 500_000)+"\n", "a\n"), "lines": fill("## Tasks\n- [ ] a | b\n", "c|\n"),
		"tabs": fill("## Tasks\n", "-\t"), "fences": fill("", "```\n"), "headings": fill("", "## Tasks\n"), "comments": fill("## Tasks\n", "<!--\n"),
		"spans": fill("## Tasks\n- [ ] ", "`|` "),
	} {
		h := ParseHeartbeat([]byte(file)) // a second at most; what is not linear takes minutes, or all memory
		if len(h.Tasks) > maxTasks || len(h.Malformed) > maxTasks+1 {
			t.Errorf("%s: %d tasks, %d malformed", name, len(h.Tasks), len(h.Malformed))
		}
	}
	var many strings.Builder
	many.WriteString("## Tasks\n")
	for n := range 70_000 {
		fmt.Fprintf(&many, "- [ ] %x|b\n", n)
	}
	h := ParseHeartbeat([]byte(many.String()))
	if len(h.Tasks) != maxTasks || len(h.Malformed) != 1 || !strings.Contains(h.Malformed[0].Message, "more than 10000 tasks") {
		t.Errorf("%d tasks of many, %v", len(h.Tasks), h.Malformed)
	}
	if h := ParseHeartbeat([]byte(fill("## Tasks\n- [ ] a | b\n", "\n") + "\n\n\n")); len(h.Tasks) != 0 || len(h.Malformed) != 1 {
		t.Errorf("a file that is too long: %v", shown(h))
	}
}
