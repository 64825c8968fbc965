package worklog

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// varied makes operations as agents record them: some files and commands again and again, descriptions in words of
// their own.
type varied struct {
	*rand.Rand
	files, commands []string
}

// vocabulary is what paths and descriptions are made of.
const vocabulary = `account action adapter agent alias amount answer archive argument array asset async audit author backup balance batch billing
	binary block body boundary branch broker browser buffer build bundle button cache call cancel cart case catalog chain channel chart check
	checkout child claim cleanup client clock cluster code column command comment commit compare config connection constant consumer container
	content context contract controller cookie copy core count coupon create cron currency cursor dashboard database date deadline debug decode
	decorator default delay delete delivery deploy device dialog diff digest directory discount dispatch document domain download draft driver
	edge editor element email empty encode endpoint engine entity entry enum environment error escape event example exception exit export
	expression extension factory failure fallback feature feed fetch field file filter finish fixture flag flush folder font form format forward
	frame function gateway generator graph grid group guard handler hash header health helper history hook host icon identity image import index
	inherit input insert instance integer interface interval invoice issue iterator job join journal json key label language layout ledger length
	level library limit line link list listener loader locale lock log login logout loop mail main map mapper margin marker match matrix media
	member memory menu merge message meta method metric middleware migration mock mode model module monitor mount move name namespace nested
	network node note notification null number object offset open operator option order output override owner package page parameter parent parser
	partial password patch path pattern payload payment pending permission phase pipeline plan platform plugin pointer policy pool port prefix
	preview price print priority process product profile progress project promise property provider proxy publish query queue quota range rate
	reader receipt record redirect reference refund refresh region register relation release reload remote remove render repair replace report
	request reset resolve resource response restore result retry return review revision role rollback root route router rule runner sample
	scanner schedule schema scope screen script search secret section seed segment select sender serializer server service session setting shape
	shard share shell shipping signal signature size slice snapshot socket sort source span spec stack stage state status step storage store
	stream string strip style submit subscription suffix summary switch symbol sync syntax system table target task template tenant terminal test
	text theme thread threshold ticket timeout token tool total trace tracker traffic transaction transform tree trigger type task update upload
	user utility validate value variable vendor verify version view visitor volume wallet watch webhook widget window worker workflow wrapper zone`

func newVaried(seed uint64) *varied {
	v := &varied{Rand: rand.New(rand.NewPCG(seed, 7))}
	for range 60 {
		folders := []string{v.word(), v.word(), v.word()}[:1+v.IntN(3)]
		v.files = append(v.files, strings.Join(folders, "/")+"/"+v.word()+"_"+v.word()+[]string{".go", ".py", ".ts", "_test.go", ".md"}[v.IntN(5)])
	}
	for range 40 {
		v.commands = append(v.commands, fmt.Sprintf("go test ./%s -run Test%s -count=%d", v.word(), v.word(), 1+v.IntN(3)))
	}
	return v
}

func (v *varied) word() string {
	all := strings.Fields(vocabulary)
	return all[v.IntN(len(all))]
}

func (v *varied) words(n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = v.word()
	}
	return strings.Join(all, " ")
}

func (v *varied) file() string { return v.files[v.IntN(len(v.files))] }

func (v *varied) operation() Operation {
	o := v.any()
	said := len(o.Context) + len(strings.Join(o.Details.Files, " "))
	for _, c := range o.Details.StatusChanges {
		said += len(c.Todo)
	}
	o.Tokens = Tokens(said)
	return o
}

func (v *varied) any() Operation {
	switch v.IntN(10) {
	case 0, 1:
		code := 0
		return Operation{Action: Bash, Context: v.commands[v.IntN(len(v.commands))], Details: Details{ExitCode: &code}}
	case 2:
		n := 1 + v.IntN(2)
		o := Operation{Action: TodoWrite, Context: fmt.Sprintf("%d todos", 3+v.IntN(5)), Details: Details{Todos: &n}}
		for range n {
			o.Details.StatusChanges = append(o.Details.StatusChanges, StatusChange{v.words(3 + v.IntN(4)), "in_progress", "completed"})
		}
		return o
	case 3:
		return Operation{Action: Verify, Context: "the todos are as intended", Details: Details{Verification: "pass"}}
	case 4:
		return Operation{Action: Task, Context: "reviewer: " + v.words(4+v.IntN(5))}
	case 5:
		return Operation{Action: Write, Context: "write " + v.words(3+v.IntN(3)), Details: Details{Files: []string{v.file()}}}
	}
	return Operation{Action: Edit, Context: v.words(3 + v.IntN(5)), Details: Details{Files: []string{v.file()}}}
}

// packed are the bytes of all packs and their indexes after `git gc`, loose those of what no ref reaches and git
// drops later.
func (c *clone) packed() (packs, loose int64) {
	c.Helper()
	// How many threads git packs with decides how often it stores a document whole, up to four times; with one the
	// figure is the same everywhere.
	c.git("-c", "pack.threads=1", "gc", "--quiet")
	err := filepath.Walk(filepath.Join(c.common(), "objects"), func(path string, info os.FileInfo, err error) error {
		switch {
		case err != nil || info.IsDir():
		case strings.HasSuffix(filepath.Dir(path), "pack"):
			packs += info.Size()
		case len(filepath.Base(filepath.Dir(path))) == 2:
			loose += info.Size()
		}
		return err
	})
	if err != nil {
		c.Fatal(err)
	}
	return packs, loose
}

// A session of 500 operations, flushed as it goes, takes at most 50 KB.
func TestASessionOf500OperationsIsSmall(t *testing.T) {
	c, v := newClone(t), newVaried(1)
	before, _ := c.packed()
	l := c.begin()
	for i := range 500 {
		c.record(l, v.operation())
		if i%160 == 159 {
			c.record(l, Operation{Action: Check, Context: "execution is done", Details: Details{Phase: "execution"}})
		}
	}
	c.end(l)
	document := c.git("show", refPrefix+l.ID+":"+worklogFile)
	after, _ := c.packed()
	c.git("-c", "pack.threads=8", "repack", "-adfq")
	eight, _ := c.packed()
	t.Logf("%d bytes packed, by eight threads %d; %d flushes; the document alone is %d bytes", after-before, eight-before, len(strings.Fields(c.git("rev-list", refPrefix+l.ID))), len(document))
	if after-before > 50_000 {
		t.Errorf("a session of 500 operations takes %d bytes", after-before)
	}
	if strings.Count(document, "\n- timestamp") < 500 {
		t.Error("not all operations are there")
	}
}

// A hundred sessions of a hundred operations take at most 1 MB, and what each adds is little.
func TestAHundredSessionsAreSmall(t *testing.T) {
	c, v := newClone(t), newVaried(2)
	before, _ := c.packed()
	for n := range 100 {
		l := c.begin()
		for range 10 {
			var batch []Operation
			for range 10 {
				o := v.operation()
				o.Time, o.Status = FormatTime(c.at), Completed
				batch = append(batch, o)
			}
			if _, err := l.add(context.Background(), logLines(batch)...); err != nil {
				t.Fatal(err)
			}
		}
		c.end(l)
		if n == 49 {
			half, _ := c.packed()
			t.Logf("50 sessions: %d bytes packed", half-before)
		}
	}
	after, loose := c.packed()
	t.Logf("100 sessions: %d bytes packed; %d bytes more that no ref reaches, which git drops after two weeks", after-before, loose)
	if after-before > 1_000_000 {
		t.Errorf("100 sessions take %d bytes", after-before)
	}
	if known := len(c.listed()); known != 100 {
		t.Errorf("%d of 100 sessions are known", known)
	}
}
