// Package prove finds out whether tests notice if claimed code does nothing: it hollows the functions that claims cite,
// one at a time, in a separate work tree, and runs a command there. Claims and a command go in, a report.Proof comes
// out. It must never touch the user's work tree.
package prove

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/parser/shell"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/program"
	"github.com/acta-git/acta/repo/state"
	"github.com/acta-git/acta/report"
	"github.com/acta-git/acta/report/results"
	"golang.org/x/sync/errgroup"
)

const (
	// timeoutFactor times the time on the whole tree is the timeout without a function; minTimeout is its minimum.
	timeoutFactor = 3
	minTimeout    = 10 * time.Second
)

// Options say what to run, and how.
type Options struct {
	// Command is run in Dir, a folder from the top of the work tree, with Env, «NAME=value» each.
	Command []string
	Dir     string
	Env     []string
	// Share are paths from the top of the user's work tree that are linked into that of the proof.
	Share []string
	// At most MaxFunctions functions are tried, Jobs at a time; Timeout applies to the whole tree.
	MaxFunctions, Jobs int
	Timeout            time.Duration
	// Coverage is the coverage file that the command writes in Dir; "" for none.
	Coverage string
	// Watcher is notified of every answer; nil for no one.
	Watcher watcher
}

// watcher is who waits for a proof.
type watcher interface {
	// Answered is the answer number done of so many, which take about so long each.
	Answered(p report.FunctionProof, done, of int, each time.Duration)
}

// FailedError is a command that fails on the whole tree.
type FailedError struct {
	Reason string
	// Output are the last lines that it printed.
	Output string
}

// Error says how the command ended.
func (e *FailedError) Error() string {
	return fmt.Sprintf("the command must pass on the unchanged tree, but %s", e.Reason)
}

var errNoClaim = errors.New("no item of kind code is reported done: name the range of an ACT " +
	"(acta prove BASE..HEAD -- CMD), or the report of the staged change (--message FILE)")

// target is a function, and where its answers go.
type target struct {
	judge.CitedFunction
	claims []judge.CodeClaim
	rank   int // among the functions of its claim
}

type prover struct {
	Options
	repo     *repo.Repo
	tree     repo.ID
	baseline time.Duration
	coverage *rules.Results // nil without coverage
}

// Run proves the claims on a tree.
func Run(
	ctx context.Context, r *repo.Repo, tree repo.ID, claims []judge.CodeClaim, o Options,
) (*report.Proof, error) {
	if len(claims) == 0 {
		return nil, errNoClaim
	}
	functions := uniqueTargets(claims)
	proof := &report.Proof{Command: shell.Line(o.Command), Tree: string(tree), Functions: []report.FunctionProof{}}
	for _, c := range claims {
		if len(c.Functions) == 0 {
			none := report.FunctionProof{Answer: report.Inconclusive, Reason: "it cites no function"}
			proof.Functions = append(proof.Functions, ofClaim(none, c))
		}
	}
	if len(functions) == 0 {
		return proof, nil
	}
	if o.MaxFunctions > 0 && len(functions) > o.MaxFunctions {
		proof.Untried = len(functions) - o.MaxFunctions
		functions = functions[:o.MaxFunctions]
	}
	p := &prover{Options: o, repo: r, tree: tree}
	place, err := p.openWorkTree(ctx)
	if err != nil {
		return nil, err
	}
	defer place.Close()
	if err := p.runBaseline(ctx, place); err != nil {
		return nil, err
	}
	answers, err := p.askAll(ctx, place, functions)
	if err != nil {
		return nil, err
	}
	isFlaky := false
	if slices.ContainsFunc(answers, func(a report.FunctionProof) bool { return a.Answer == report.Noticed }) {
		repeat := p.run(ctx, place, p.timeout())
		isFlaky = repeat.Err != nil
	}
	for i, a := range answers {
		a.IsFlaky = isFlaky && a.Answer == report.Noticed
		for _, claim := range functions[i].claims {
			proof.Functions = append(proof.Functions, ofClaim(a, claim))
		}
	}
	proof.Count()
	return proof, ctx.Err()
}

func ofClaim(a report.FunctionProof, c judge.CodeClaim) report.FunctionProof {
	a.Commit, a.Unit, a.Item = string(c.Commit), c.Unit, c.Item
	return a
}

// uniqueTargets are the functions of claims, each once: the first of each claim, then the second.
func uniqueTargets(claims []judge.CodeClaim) []target {
	var all []target
	at := map[string]int{}
	for _, c := range claims {
		for rank, f := range c.Functions {
			key := fmt.Sprintf("%s:%d", f.Path, f.Line)
			i, exists := at[key]
			if !exists {
				i, at[key] = len(all), len(all)
				all = append(all, target{CitedFunction: f, rank: rank})
			}
			all[i].rank = min(all[i].rank, rank)
			isThis := func(d judge.CodeClaim) bool { return d.Unit == c.Unit && d.Item == c.Item }
			if !slices.ContainsFunc(all[i].claims, isThis) {
				all[i].claims = append(all[i].claims, c)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b target) int { return cmp.Compare(a.rank, b.rank) })
	return all
}

func (p *prover) openWorkTree(ctx context.Context) (*repo.TempWorkTree, error) {
	place, err := p.repo.NewTempWorkTree(ctx, p.tree)
	if err != nil {
		return nil, err
	}
	top, err := p.repo.Top(ctx)
	for _, name := range p.Share {
		err = cmp.Or(err, share(top, place.Dir, name))
	}
	if err != nil {
		place.Close()
	}
	return place, err
}

// share links a path of the user's work tree into another one, replacing at most an empty folder.
func share(top, dir, name string) error {
	name = filepath.Clean(filepath.FromSlash(name))
	from, to := filepath.Join(top, name), filepath.Join(dir, name)
	if _, err := os.Stat(from); err != nil || !filepath.IsLocal(name) {
		return fmt.Errorf("--share %s: it must be a path in the work tree: %w", name, cmp.Or(err, fs.ErrInvalid))
	}
	if err := os.Remove(to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("--share %s: git tracks it, so it is there already", name)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	return os.Symlink(from, to)
}

func (p *prover) run(ctx context.Context, place *repo.TempWorkTree, limit time.Duration) program.Outcome {
	dir := filepath.Join(place.Dir, filepath.FromSlash(p.Dir))
	var pass []string
	for _, v := range p.Env {
		name, _, _ := strings.Cut(v, "=")
		pass = append(pass, name)
	}
	call := program.Call{Args: p.Command, Timeout: limit, Dir: dir, Env: p.Env, PassEnv: pass,
		AddEnv: []string{"PWD=" + dir, place.Mark}}
	return call.Run(ctx)
}

// runBaseline runs the command on the whole tree, where it must pass.
func (p *prover) runBaseline(ctx context.Context, place *repo.TempWorkTree) error {
	start := time.Now()
	ended := p.run(ctx, place, p.Timeout)
	p.baseline = time.Since(start)
	why := ""
	switch code := ended.ExitCode(); {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case ended.TimedOut:
		why = fmt.Sprintf("took longer than %s", p.Timeout)
	case code != 0:
		why = fmt.Sprintf("ended with: %v", ended.Err)
	case p.Coverage != "":
		return p.readCoverage(ctx, filepath.Join(place.Dir, filepath.FromSlash(p.Dir), p.Coverage))
	default:
		return nil
	}
	return &FailedError{Reason: why, Output: lastLines(ended.Output)}
}

func (p *prover) readCoverage(ctx context.Context, name string) error {
	data, err := state.ReadFileUpTo(name, results.MaxFileBytes)
	if err != nil {
		return err
	}
	set, tree := &results.Set{}, snapshot.Tree(p.repo, p.tree)
	if err := set.Add(results.CoverageReport, name, data); err != nil {
		return err
	}
	p.coverage, err = rules.NewResults(ctx, set, &tree)
	return err
}

func (p *prover) timeout() time.Duration { return max(timeoutFactor*p.baseline, minTimeout) }

// askAll tries all functions, several at a time, each worker in its own work tree.
func (p *prover) askAll(
	ctx context.Context, first *repo.TempWorkTree, functions []target,
) ([]report.FunctionProof, error) {
	answers, start, done := make([]report.FunctionProof, len(functions)), time.Now(), 0
	next := make(chan int, len(functions))
	for i := range functions {
		next <- i
	}
	close(next)
	var watcherLock sync.Mutex
	work, ctx := errgroup.WithContext(ctx)
	for n := range max(1, min(p.Jobs, len(functions))) {
		work.Go(func() (err error) {
			w := &worker{prover: p, workTree: first}
			if n > 0 {
				if w.workTree, err = p.openWorkTree(ctx); err != nil {
					return err
				}
				defer w.workTree.Close()
			}
			for i := range next {
				if answers[i], err = w.ask(ctx, functions[i]); err != nil {
					return err
				}
				watcherLock.Lock()
				if done++; p.Watcher != nil {
					p.Watcher.Answered(answers[i], done, len(functions), time.Since(start)/time.Duration(done))
				}
				watcherLock.Unlock()
			}
			return nil
		})
	}
	return answers, work.Wait()
}

// worker tries functions one by one in its work tree.
type worker struct {
	*prover
	workTree  *repo.TempWorkTree
	lastWrite time.Time // when the last file was changed, as it says
}

// ask hollows a function, in one form after another until one builds, and runs the command.
func (w *worker) ask(ctx context.Context, f target) (report.FunctionProof, error) {
	answer := report.FunctionProof{Path: f.Path, Line: f.Line, EndLine: f.EndLine, Symbol: f.Symbol,
		Answer: report.Inconclusive}
	if w.coverage != nil {
		reached, err := w.coverage.IsReached(ctx, f.Path, f.Line, f.EndLine)
		if err != nil || !reached {
			answer.Answer = report.NotReached
			return answer, err
		}
	}
	root, err := os.OpenRoot(w.workTree.Dir)
	if err != nil {
		return answer, err
	}
	defer func() { _ = root.Close() }()
	src, err := root.ReadFile(filepath.FromSlash(f.Path))
	if err != nil {
		return answer, err
	}
	if err := f.FindForms(ctx, evidence.Source{Path: f.Path, Bytes: src}); err != nil {
		return answer, err
	}
	answer.Reason = "its language has no hollow form for it, or it is already hollow"
	for _, form := range f.Forms {
		if err := w.write(root, f.Path, form.Source); err != nil {
			return answer, err
		}
		ended := w.run(ctx, w.workTree, w.timeout())
		if err := errors.Join(w.write(root, f.Path, src), ctx.Err()); err != nil {
			return answer, err
		}
		answer.Returned = form.Result
		if answer.Answer, answer.Reason = answerOf(f.Path, ended); answer.Answer != report.Inconclusive {
			break
		}
	}
	return answer, nil
}

func answerOf(path string, ended program.Outcome) (report.Answer, string) {
	switch {
	case ended.TimedOut:
		return report.Noticed, "it took more than three times as long"
	case ended.ExitCode() == 0:
		return report.Unnoticed, ""
	case evidence.IsUnbuilt(path, ended.Output):
		return report.Inconclusive, "it does not build: " + firstFailure(ended.Output)
	}
	return report.Noticed, firstFailure(ended.Output)
}

// write changes a file, with a new modification time in whole seconds: build tools compare time and size.
func (w *worker) write(root *os.Root, path string, src []byte) error {
	name := filepath.FromSlash(path)
	if err := root.WriteFile(name, src, 0o666); err != nil {
		return err
	}
	now := time.Now().Truncate(time.Second)
	if !now.After(w.lastWrite) {
		now = w.lastWrite.Add(time.Second)
	}
	w.lastWrite = now
	return root.Chtimes(name, now, now)
}
