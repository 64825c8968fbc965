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
	if job, err := c.ciJob(); err != nil || job != nil {
		if err != nil {
			return "", "", err
		}
		return job.commits(ctx, r)
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

// ciJob is what a CI service says of the commits of a job.
type ciJob struct {
	// before is the old commit of a pushed branch: zeros for a new branch, "" if unknown; after is the new one.
	before, after string
	// branch is the branch's name, "" if unknown; main is the default branch's name, "" for the remote's HEAD.
	branch, main string
	// target is the branch that a change request is for, "" for a push.
	target string
	// bases are the commits to judge from, if the service names them: the first that is there, or the last.
	bases []string
	// hasNoBranch: the service does not say which branch it builds.
	hasNoBranch bool
}

// ciJob reads the variables of the CI service: docs.github.com ("Variables"), docs.gitlab.com ("Predefined CI/CD
// variables"), buildkite.com/docs ("Environment variables"), plugins.jenkins.io ("git", "branch-api"). nil is none.
func (c command) ciJob() (*ciJob, error) {
	job, env := &ciJob{}, os.Getenv
	switch {
	case env("GITHUB_ACTIONS") == "true":
		return c.githubJob()
	case env("GITLAB_CI") == "true":
		job.before, job.after = env("CI_COMMIT_BEFORE_SHA"), env("CI_COMMIT_SHA")
		job.branch, job.main = env("CI_COMMIT_BRANCH"), env("CI_DEFAULT_BRANCH")
		if base := env("CI_MERGE_REQUEST_DIFF_BASE_SHA"); base != "" {
			// If GitLab has fetched the target's tip, the policy there counts, not that of the merge base. In a pipeline for
			// merged results HEAD is a test merge.
			job.bases = []string{env("CI_MERGE_REQUEST_TARGET_BRANCH_SHA"), base}
			job.after = cmp.Or(env("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA"), job.after)
		}
		if isZero(job.before) && env("CI_PIPELINE_SOURCE") != "push" {
			job.before = "" // without a push, zeros mean «unknown»
		}
	case env("BUILDKITE") == "true":
		job.after, job.target = env("BUILDKITE_COMMIT"), env("BUILDKITE_PULL_REQUEST_BASE_BRANCH")
		job.branch, job.main = env("BUILDKITE_BRANCH"), env("BUILDKITE_PIPELINE_DEFAULT_BRANCH")
		if pull := env("BUILDKITE_PULL_REQUEST"); pull != "" && pull != "false" {
			job.target = cmp.Or(job.target, job.main)
		}
		if base := env("BUILDKITE_MERGE_QUEUE_BASE_COMMIT"); base != "" {
			job.bases, job.target = []string{base}, ""
		}
	case env("JENKINS_URL") != "": // refused commits are judged again until a build succeeds
		job.before, job.after = env("GIT_PREVIOUS_SUCCESSFUL_COMMIT"), env("GIT_COMMIT")
		job.branch, job.target = env("BRANCH_NAME"), env("CHANGE_TARGET")
		if job.hasNoBranch = job.branch == ""; env("BRANCH_IS_PRIMARY") == "true" {
			job.main = job.branch
		}
	default:
		return nil, nil
	}
	job.after = cmp.Or(job.after, "HEAD")
	return job, nil
}

func (j *ciJob) commits(ctx context.Context, r *repo.Repo) (base, head string, err error) {
	if j.target != "" {
		if base, head, err = rangeFrom(ctx, r, j.target, j.after); err == nil {
			return base, head, nil
		}
	}
	for i, base := range j.bases {
		if _, missing := r.Commit(ctx, base); base != "" && (missing == nil || err == nil && i == len(j.bases)-1) {
			return base, j.after, nil
		}
	}
	if err != nil {
		return "", "", err
	}
	onMain := j.branch != "" && j.branch == j.main
	if j.before != "" && isZero(j.before) && onMain {
		return "", j.after, nil // the remote was empty
	}
	if !isZero(j.before) {
		_, err := r.Commit(ctx, j.before)
		if !errors.Is(err, repo.ErrNotFound) {
			return j.before, j.after, err
		}
		// History was rewritten, and the old commit is gone.
	}
	if onMain {
		return "", "", fmt.Errorf("it is not known which commits of %s, the default branch, are new; run `acta verify "+
			"BASE..HEAD`", j.main)
	}
	if base, head, err = rangeFrom(ctx, r, j.main, j.after); err == nil && j.hasNoBranch {
		err = checkNotEqual(ctx, r, base, head)
	}
	return base, head, err
}

// isLanded reports whether the job's commit is on the default branch; nil if the service does not say so.
func (j *ciJob) isLanded() *bool {
	if j.hasNoBranch {
		return nil
	}
	return new(j.target == "" && j.bases == nil && j.branch != "" && j.branch == j.main)
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

func isZero(id string) bool { return strings.Trim(id, "0") == "" }

// githubEvent is the used part of an event's payload (docs.github.com: "Webhook events and payloads", pull_request,
// push and merge_group).
type githubEvent struct {
	Ref, Before, After string
	Repository         struct {
		DefaultBranch string `json:"default_branch"`
	}
	PullRequest struct {
		Base, Head struct{ SHA string }
	} `json:"pull_request"`
	MergeGroup struct {
		BaseSHA string `json:"base_sha"`
		HeadSHA string `json:"head_sha"`
	} `json:"merge_group"`
}

// githubJob reads the payload of the event that started the workflow. In a pull request, HEAD is a test merge and,
// under pull_request_target, the base itself.
func (c command) githubJob() (*ciJob, error) {
	event, err := c.githubEvent()
	job := &ciJob{
		before: event.Before, after: event.After, branch: strings.TrimPrefix(event.Ref, "refs/heads/"),
		main: event.Repository.DefaultBranch,
	}
	target, head := os.Getenv("GITHUB_BASE_REF"), event.PullRequest.Head.SHA
	switch {
	case target != "" && (err == nil && head != "" || os.Getenv("GITHUB_EVENT_NAME") != "pull_request_target"):
		job.target, job.after = target, cmp.Or(head, "HEAD")
		if base := event.PullRequest.Base.SHA; base != "" {
			job.bases = []string{base}
		}
	case err != nil:
		return nil, err
	case event.MergeGroup.HeadSHA != "":
		job.bases, job.after = []string{event.MergeGroup.BaseSHA}, event.MergeGroup.HeadSHA
	case event.After == "":
		return nil, fmt.Errorf(
			"the event in %s is neither a pull request, a push nor a merge group; run `acta verify BASE..HEAD`",
			os.Getenv("GITHUB_EVENT_PATH"))
	case isZero(event.After):
		return nil, fmt.Errorf("the push deleted %s, which leaves nothing to judge; run `acta verify BASE..HEAD`",
			event.Ref)
	}
	return job, nil
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

// checkNotEqual refuses a base that is the head: nothing would be judged, unnoticed.
func checkNotEqual(ctx context.Context, r *repo.Repo, base, head string) error {
	a, err := r.Commit(ctx, base)
	b, missing := r.Commit(ctx, head)
	if err = errors.Join(err, missing); err == nil && a.ID == b.ID {
		err = fmt.Errorf("%s is %s itself, and it is not known which of its commits are new; run `acta verify BASE..HEAD`",
			head, base)
	}
	return err
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
