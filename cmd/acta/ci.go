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

// defaultRange is the range of `acta verify` without arguments: from CI variables, else the commits that the branch
// adds to its upstream, else to the remote's default branch. An unknown range is an error (exit code 3), never an empty
// range.
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
	if errors.Is(err, repo.ErrNotFound) { // a new branch adds to the remote's default branch
		if base, head, err := rangeFrom(ctx, r, "", "HEAD"); err == nil {
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

// push is an update of a branch, as CI services report it.
type push struct {
	// before is the old commit: zeros for a new branch, "" if unknown.
	before, after string
	// branch is the branch's name, "" if unknown.
	branch string
	// main is the default branch's name, "" for the remote's HEAD.
	main string
}

func (p push) commits(ctx context.Context, r *repo.Repo) (base, head string, err error) {
	onMain := p.branch != "" && p.branch == p.main
	if p.before != "" && isZero(p.before) && onMain {
		return "", p.after, nil // the remote was empty
	}
	if !isZero(p.before) {
		_, err := r.Commit(ctx, p.before)
		if !errors.Is(err, repo.ErrNotFound) {
			return p.before, p.after, err
		}
		// History was rewritten, and the old commit is gone.
	}
	if onMain {
		return "", "", fmt.Errorf("it is not known which commits of %s, the default branch, are new; run `acta verify "+
			"BASE..HEAD`", p.main)
	}
	return rangeFrom(ctx, r, p.main, p.after)
}

// rangeFrom is the range of the commits that head adds to a branch of the remote; "" is the remote's HEAD.
func rangeFrom(ctx context.Context, r *repo.Repo, branch, head string) (string, string, error) {
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
		command = "git fetch origin" // people paste it into a shell
	}
	return "", "", fmt.Errorf("what %s adds to %s cannot be known: %w; fetch it (%s) or run `acta verify BASE..HEAD`",
		head, ref, err, command)
}

// isZero reports an id of zeros, or "", for «no commit».
func isZero(id string) bool { return strings.Trim(id, "0") == "" }

// githubEvent is the used part of an event's payload (docs.github.com: "Webhook events and payloads", pull_request,
// push and merge_group).
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
	branchName, _ := strings.CutPrefix(event.Ref, "refs/heads/")
	p := push{before: event.Before, after: event.After, branch: branchName, main: event.Repository.DefaultBranch}
	return p.commits(ctx, r)
}

// githubPullRequest takes the head from the payload: HEAD is a test merge and, under pull_request_target, the base
// itself.
func githubPullRequest(
	ctx context.Context, r *repo.Repo, branch string, event githubEvent,
) (base, head string, err error) {
	base, head, err = rangeFrom(ctx, r, branch, cmp.Or(event.PullRequest.Head.SHA, "HEAD"))
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

// gitlabRange reads GitLab's variables (docs.gitlab.com: "Predefined CI/CD variables"). In a pipeline for merged
// results HEAD is a test merge.
func (c command) gitlabRange(ctx context.Context, r *repo.Repo) (base, head string, err error) {
	head = cmp.Or(os.Getenv("CI_COMMIT_SHA"), "HEAD")
	if base := os.Getenv("CI_MERGE_REQUEST_DIFF_BASE_SHA"); base != "" {
		// If GitLab has fetched the target's tip, the policy there counts, not that of the merge base.
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
		p.before = "" // without a push, zeros mean «unknown»
	}
	return p.commits(ctx, r)
}

// jenkinsRange reads the variables of Jenkins' branch sources and git plugin (plugins.jenkins.io: "git", environment
// variables; "branch-api"). Refused commits are judged again until a build succeeds.
func (c command) jenkinsRange(ctx context.Context, r *repo.Repo) (base, head string, err error) {
	head = cmp.Or(os.Getenv("GIT_COMMIT"), "HEAD")
	if target := os.Getenv("CHANGE_TARGET"); target != "" {
		return rangeFrom(ctx, r, target, head)
	}
	p := push{before: os.Getenv("GIT_PREVIOUS_SUCCESSFUL_COMMIT"), after: head, branch: os.Getenv("BRANCH_NAME")}
	if os.Getenv("BRANCH_IS_PRIMARY") == "true" {
		p.main = p.branch
	}
	base, head, err = p.commits(ctx, r)
	if err != nil || p.branch != "" || base == p.before {
		return base, head, err
	}
	// A job without branch sources does not say which branch it builds.
	return base, head, checkNotEqual(ctx, r, base, head)
}

// buildkiteRange reads Buildkite's variables (buildkite.com/docs: "Environment variables"). They do not name a branch's
// old commit.
func (c command) buildkiteRange(ctx context.Context, r *repo.Repo) (base, head string, err error) {
	head = cmp.Or(os.Getenv("BUILDKITE_COMMIT"), "HEAD")
	if base := os.Getenv("BUILDKITE_MERGE_QUEUE_BASE_COMMIT"); base != "" {
		return base, head, nil
	}
	if branch := os.Getenv("BUILDKITE_PULL_REQUEST_BASE_BRANCH"); branch != "" {
		return rangeFrom(ctx, r, branch, head)
	}
	return push{
		after: head, branch: os.Getenv("BUILDKITE_BRANCH"), main: os.Getenv("BUILDKITE_PIPELINE_DEFAULT_BRANCH"),
	}.commits(ctx, r)
}

// checkNotEqual refuses a base that is the head: nothing would be judged, unnoticed.
func checkNotEqual(ctx context.Context, r *repo.Repo, base, head string) error {
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

// precommitRange reads the variables that the pre-commit framework sets for a push and for `pre-commit run --from-ref …
// --to-ref …` (pre-commit.com: "pre-push"). A push without these brings a root commit, and so everything.
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
