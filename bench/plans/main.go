package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/acta-git/acta/report"
)

// plans are where spec-kit, OpenSpec and Kiro keep their tasks.
const plans = "plan: [\"specs/*/tasks.md\", \"openspec/changes/*/tasks.md\", \".kiro/specs/*/tasks.md\", \"**/tasks.md\"]\n"

func main() {
	acta := flag.String("acta", "acta", "the acta to ask")
	boxes := flag.String("boxes", "", "a file for a line for each box of the history")
	hollow := flag.String("hollow", "", "a file for a line for each box over hollowed code")
	plain := flag.Bool("plain", false, "leave the hollowing out")
	flag.Parse()
	m := &measurement{acta: *acta, plain: *plain, boxes: io.Discard, hollow: io.Discard}
	err := m.run(context.Background(), flag.Args(), *boxes, *hollow)
	if err != nil {
		fmt.Fprintln(os.Stderr, "plans:", err)
		os.Exit(3)
	}
}

// measurement is what is counted, and where each box is listed.
type measurement struct {
	acta          string
	plain         bool
	boxes, hollow io.Writer
	all           counts
}

// counts are boxes of a repository, or of all.
type counts struct {
	commits, ticked, verified, unclear, not int
	asked, stay, hollowNot, hollowUnclear   int // of the verified ones that were hollowed
	bodies, bodiesStay                      int // of these, the ones whose places hold a function
}

func (m *measurement) run(ctx context.Context, dirs []string, boxes, hollow string) (err error) {
	for name, to := range map[string]*io.Writer{boxes: &m.boxes, hollow: &m.hollow} {
		if name == "" {
			continue
		}
		f, err := os.Create(name)
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }()
		*to = f
	}
	fmt.Println("| repository | commits | ticked | verified | unclear | not verified | hollowed | stay verified | " +
		"rest on functions | stay verified |")
	fmt.Println("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
	for _, dir := range dirs {
		if err := m.repository(ctx, dir); err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
	}
	m.all.print("all")
	fmt.Printf("\nhollowed: %d not verified, %d unclear, %d verified\n", m.all.hollowNot, m.all.hollowUnclear, m.all.stay)
	return nil
}

func (c *counts) print(name string) {
	fmt.Printf("| %s | %d | %d | %d | %d | %d | %d | %d | %d | %d |\n",
		name, c.commits, c.ticked, c.verified, c.unclear, c.not, c.asked, c.stay, c.bodies, c.bodiesStay)
}

func (c *counts) add(o counts) {
	c.commits, c.ticked, c.verified = c.commits+o.commits, c.ticked+o.ticked, c.verified+o.verified
	c.unclear, c.not = c.unclear+o.unclear, c.not+o.not
	c.asked, c.stay = c.asked+o.asked, c.stay+o.stay
	c.bodies, c.bodiesStay = c.bodies+o.bodies, c.bodiesStay+o.bodiesStay
	c.hollowNot, c.hollowUnclear = c.hollowNot+o.hollowNot, c.hollowUnclear+o.hollowUnclear
}

// nameOf is what a repository is called: its folder, or the one above a plain «repo» or «.git».
func nameOf(dir string) string {
	name := filepath.Base(dir)
	if name == "repo" || name == ".git" {
		name = filepath.Base(filepath.Dir(dir))
	}
	return strings.ReplaceAll(strings.TrimSuffix(name, ".git"), "+", "/")
}

// repository measures one.
func (m *measurement) repository(ctx context.Context, dir string) error {
	work, err := os.MkdirTemp("", "plans")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	c := &clone{dir: work, acta: m.acta}
	if err := c.make(ctx, dir); err != nil {
		return err
	}
	judged, err := c.verify(ctx, c.policy, "HEAD")
	if err != nil {
		return err
	}
	n, name := counts{commits: judged.Commits}, nameOf(dir)
	var order []string
	verified := map[string][]report.ClaimVerdict{}
	for _, v := range judged.Verdicts {
		if !isBox(v) {
			continue
		}
		n.ticked++
		switch v.Verdict {
		case report.Verified:
			n.verified++
			if verified[v.Commit] == nil {
				order = append(order, v.Commit)
			}
			verified[v.Commit] = append(verified[v.Commit], v)
		case report.NotVerified:
			n.not++
		default:
			n.unclear++
		}
		list(m.boxes, name, v)
	}
	for _, commit := range order {
		if m.plain {
			break
		}
		if err := m.hollowed(ctx, c, name, commit, verified[commit], &n); err != nil {
			fmt.Fprintf(os.Stderr, "%s %.12s: %v\n", name, commit, err)
		}
	}
	n.print(name)
	m.all.add(n)
	return nil
}

// hollowed judges the verified boxes of a commit once more, over the same commit hollowed.
func (m *measurement) hollowed(
	ctx context.Context, c *clone, name, commit string, boxes []report.ClaimVerdict, n *counts,
) error {
	base, head, changed, err := c.hollowed(ctx, commit, boxes)
	if err != nil || changed == 0 {
		return err
	}
	judged, err := c.verify(ctx, base, head)
	if err != nil {
		return err
	}
	for _, was := range boxes {
		for _, v := range judged.Verdicts {
			if v.Unit != was.Unit || v.Item != was.Item {
				continue
			}
			n.asked++
			v.Commit = commit
			rests := c.restsOnFunctions(ctx, was)
			if rests {
				n.bodies++
			}
			list(m.hollow, name+map[bool]string{true: "\tfunctions", false: "\tother"}[rests], v)
			switch v.Verdict {
			case report.Verified:
				n.stay++
				if rests {
					n.bodiesStay++
				}
			case report.NotVerified:
				n.hollowNot++
			default:
				n.hollowUnclear++
			}
			break
		}
	}
	return nil
}

// isBox reports whether a box was ticked: its task is named by file and id.
func isBox(v report.ClaimVerdict) bool { return strings.Contains(v.Unit, ".md/") }

func list(to io.Writer, name string, v report.ClaimVerdict) {
	fmt.Fprintf(to, "%s\t%.12s\t%s\t%s\t%s\t%s\t%s\n", name, v.Commit, v.Verdict, v.Unit, v.Item, v.Evidence,
		strings.ReplaceAll(v.Reason, "\n", " "))
}
