package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/state"
)

// defaultRange is what `acta verify` judges when no range is given: what the CI
// variables name, else what the branch adds to its upstream, else to the branch that
// the remote calls its default. A range that cannot be known is an error (exit code 3), never an empty range.
func (c command) defaultRange(ctx context.Context, r *repo.Repo) (base, head string, err error) {
	if base, head, ok := c.precommitRange(); ok {
		return base, head, nil
	}
	switch {
	case os.Getenv("GITHUB_ACTIONS") == "true":
		return c.githubRange(ctx, r)
	case os.Getenv("GITLAB_CI") == "true":
		return c.gitlabRange(ctx, r)
	case os.Getenv("BUILDKITE") == "true":
		return c.buildkiteRange(ctx, r)
	case os.Getenv("JENKINS_URL") != "":
		return c.jenkinsRange(ctx, r)
	}
	base, err = r.Upstream(ctx)
	if errors.Is(err, repo.ErrNotFound) { // a branch that was never pushed adds to the remote's default branch
		if base, head, err := addedTo(ctx, r, "", "HEAD"); err == nil {
			return base, head, nil
		}
	}
	if errors.Is(err, repo.ErrNotRepository) {
		return "", "", err
	}
	if err != nil {
		return "", "", fmt.Errorf("there is no range to judge: none was given, no CI variables name one, and %w; "+
			"run `acta verify BASE..HEAD`, or `acta verify HEAD` for all commits", err)
	}
	return base, "HEAD", nil
}

// push is a branch that was moved, as CI services tell of it.
type push struct {
	// before is where the branch was: zeros for a new branch, "" where that is not known.
	before, after string
	// branch is the name of what was moved, "" where that is not known.
	branch string
	// main is the name of the default branch, "" for what the remote's HEAD names.
	main string
}

// commits is the range of what the push brought.
func (p push) commits(ctx context.Context, r *repo.Repo) (base, head string, err error) {
	onMain := p.branch != "" && p.branch == p.main
	if p.before != "" && isZero(p.before) && onMain {
		return "", p.after, nil // the remote had nothing
	}
	if !isZero(p.before) {
		_, err := r.Commit(ctx, p.before)
		if !errors.Is(err, repo.ErrNotFound) {
			return p.before, p.after, err
		}
		// History was rewritten, and what the branch had is gone.
	}
	if onMain {
		return "", "", fmt.Errorf("it is not known which commits of %s, the default branch, are new; run `acta verify "+
			"BASE..HEAD`", p.main)
	}
	return addedTo(ctx, r, p.main, p.after)
}

// addedTo is the range of what head adds to a branch of the remote; "" is the branch that the remote's HEAD names.
func addedTo(ctx context.Context, r *repo.Repo, branch, head string) (string, string, error) {
	name := cmp.Or(branch, "HEAD")
	ref := "refs/remotes/origin/" + name
	_, err := r.MergeBase(ctx, ref, head)
	if !errors.Is(err, repo.ErrNotFound) {
		return ref, head, err
	}
	command := "git remote set-head origin --auto"
	if branch != "" {
		command = fmt.Sprintf("git fetch origin +refs/heads/%s:%s", branch, ref)
	}
	if !regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/-]*$`).MatchString(name) {
		command = "git fetch origin" // it will be pasted into a shell
	}
	return "", "", fmt.Errorf("what %s adds to %s cannot be known: %w; fetch it (%s) or run `acta verify BASE..HEAD`",
		head, ref, err, command)
}

// isZero reports the all-zeros id that stands for «no commit», or none at all.
func isZero(id string) bool { return strings.Trim(id, "0") == "" }

// githubEvent is what is read of an event's payload (docs.github.com: "Webhook
// events and payloads", pull_request, push and merge_group).
type githubEvent struct {
	Ref        string `json:"ref"`
	Before     string `json:"before"`
	After      string `json:"after"`
	Repository struct {
		DefaultBranch string `json:"default_branch"`
	} `json:"repository"`
	PullRequest struct {
		Base struct {
			SHA string `json:"sha"`
		} `json:"base"`
		Head struct {
			SHA string `json:"sha"`
		} `json:"head"`
	} `json:"pull_request"`
	MergeGroup struct {
		BaseSHA string `json:"base_sha"`
		HeadSHA string `json:"head_sha"`
	} `json:"merge_group"`
}

// githubRange reads GitHub's variables and the payload of the event that started
// the workflow (docs.github.com: "Variables").
func (c command) githubRange(ctx context.Context, r *repo.Repo) (base, head string, err error) {
	event, err := c.githubEvent()
	branch := os.Getenv("GITHUB_BASE_REF")
	switch {
	case branch != "" &&
		(err == nil && event.PullRequest.Head.SHA != "" || os.Getenv("GITHUB_EVENT_NAME") != "pull_request_target"):
		return githubPullRequest(ctx, r, branch, event)
	case err != nil:
		return "", "", err
	case event.MergeGroup.HeadSHA != "":
		return event.MergeGroup.BaseSHA, event.MergeGroup.HeadSHA, nil
	case event.After == "":
		return "", "", fmt.Errorf(
			"the event in %s is neither a pull request, a push nor a merge group; run `acta verify BASE..HEAD`",
			os.Getenv("GITHUB_EVENT_PATH"))
	case isZero(event.After):
		return "", "", fmt.Errorf("the push deleted %s, which leaves nothing to judge; run `acta verify BASE..HEAD`",
			event.Ref)
	}
	moved, _ := strings.CutPrefix(event.Ref, "refs/heads/")
	return push{before: event.Before, after: event.After, branch: moved, main: event.Repository.DefaultBranch}.commits(ctx,
		r)
}

// githubPullRequest takes the head from the payload: HEAD is a merge made for the
// test and, under pull_request_target, the base itself.
func githubPullRequest(
	ctx context.Context, r *repo.Repo, branch string, event githubEvent,
) (base, head string, err error) {
	base, head, err = addedTo(ctx, r, branch, cmp.Or(event.PullRequest.Head.SHA, "HEAD"))
	if err != nil && event.PullRequest.Base.SHA != "" {
		if c, missing := r.Commit(ctx, event.PullRequest.Base.SHA); missing == nil {
			return string(c.ID), cmp.Or(event.PullRequest.Head.SHA, "HEAD"), nil
		}
	}
	return base, head, err
}

func (c command) githubEvent() (githubEvent, error) {
	var event githubEvent
	file := os.Getenv("GITHUB_EVENT_PATH")
	data, err := state.ReadFile(file)
	if err != nil {
		return event, fmt.Errorf("the event that started this workflow cannot be read: %w; run `acta verify BASE..HEAD`", err)
	}
	if err := json.Unmarshal(data, &event); err != nil {
		return event, fmt.Errorf("%s: %w", file, err)
	}
	return event, nil
}

// gitlabRange reads GitLab's variables (docs.gitlab.com: "Predefined CI/CD
// variables"). In a pipeline for merged results HEAD is a merge made for the test.
func (c command) gitlabRange(ctx context.Context, r *repo.Repo) (base, head string, err error) {
	head = cmp.Or(os.Getenv("CI_COMMIT_SHA"), "HEAD")
	if base := os.Getenv("CI_MERGE_REQUEST_DIFF_BASE_SHA"); base != "" {
		// Where GitLab names the target's tip and has fetched it, the policy there counts, not that of the merge base.
		if tip := os.Getenv("CI_MERGE_REQUEST_TARGET_BRANCH_SHA"); tip != "" {
			if _, err := r.Commit(ctx, tip); err == nil {
				base = tip
			}
		}
		return base, cmp.Or(os.Getenv("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA"), head), nil
	}
	p := push{
		before: os.Getenv("CI_COMMIT_BEFORE_SHA"), after: head, branch: os.Getenv("CI_COMMIT_BRANCH"),
		main: os.Getenv("CI_DEFAULT_BRANCH"),
	}
	if isZero(p.before) && os.Getenv("CI_PIPELINE_SOURCE") != "push" {
		p.before = "" // zeros stand for «unknown» in a pipeline that no push started
	}
	return p.commits(ctx, r)
}

// jenkinsRange reads what Jenkins' branch sources and its git plugin set
// (plugins.jenkins.io: "git", environment variables; "branch-api"). What an
// earlier build refused is judged again until a build succeeds.
func (c command) jenkinsRange(ctx context.Context, r *repo.Repo) (base, head string, err error) {
	head = cmp.Or(os.Getenv("GIT_COMMIT"), "HEAD")
	if target := os.Getenv("CHANGE_TARGET"); target != "" {
		return addedTo(ctx, r, target, head)
	}
	p := push{before: os.Getenv("GIT_PREVIOUS_SUCCESSFUL_COMMIT"), after: head, branch: os.Getenv("BRANCH_NAME")}
	if os.Getenv("BRANCH_IS_PRIMARY") == "true" {
		p.main = p.branch
	}
	base, head, err = p.commits(ctx, r)
	if err != nil || p.branch != "" || base == p.before {
		return base, head, err
	}
	// A job outside of branch sources does not say which branch it builds.
	return base, head, notItself(ctx, r, base, head)
}

// buildkiteRange reads Buildkite's variables (buildkite.com/docs: "Environment
// variables"). Buildkite does not say where a branch was before.
func (c command) buildkiteRange(ctx context.Context, r *repo.Repo) (base, head string, err error) {
	head = cmp.Or(os.Getenv("BUILDKITE_COMMIT"), "HEAD")
	if base := os.Getenv("BUILDKITE_MERGE_QUEUE_BASE_COMMIT"); base != "" {
		return base, head, nil
	}
	if branch := os.Getenv("BUILDKITE_PULL_REQUEST_BASE_BRANCH"); branch != "" {
		return addedTo(ctx, r, branch, head)
	}
	return push{
		after: head, branch: os.Getenv("BUILDKITE_BRANCH"), main: os.Getenv("BUILDKITE_PIPELINE_DEFAULT_BRANCH"),
	}.commits(ctx, r)
}

// notItself refuses a base that is the head: nothing would be judged, and nobody would see it.
func notItself(ctx context.Context, r *repo.Repo, base, head string) error {
	a, err := r.Commit(ctx, base)
	b, missing := r.Commit(ctx, head)
	if err := errors.Join(err, missing); err != nil {
		return err
	}
	if a.ID == b.ID {
		return fmt.Errorf("%s is %s itself, and it is not known which of its commits are new; run `acta verify "+
			"BASE..HEAD`", head, base)
	}
	return nil
}

// precommitRange reads the variables that the pre-commit framework sets for a push
// and for `pre-commit run --from-ref … --to-ref …` (pre-commit.com: "pre-push"). A
// push to which it gives no refs brings a root commit, and with it everything.
func (c command) precommitRange() (base, head string, ok bool) {
	base, head = os.Getenv("PRE_COMMIT_FROM_REF"), os.Getenv("PRE_COMMIT_TO_REF")
	if base != "" && head != "" {
		return base, head, true
	}
	if os.Getenv("PRE_COMMIT_REMOTE_URL") == "" {
		return "", "", false
	}
	return "", cmp.Or(os.Getenv("PRE_COMMIT_LOCAL_BRANCH"), "HEAD"), true
}
