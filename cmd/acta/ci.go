package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/acta-git/acta/repo"
)

// defaultRange is what `acta verify` judges when no range is given: what the CI
// variables name, else what the branch adds to its upstream. A range that cannot
// be known is an error (exit code 3), never an empty range.
func (c command) defaultRange(ctx context.Context, r *repo.Repo) (base, head string, err error) {
	switch {
	case c.Getenv("GITHUB_ACTIONS") == "true":
		return c.githubRange(ctx, r)
	case c.Getenv("GITLAB_CI") == "true":
		return c.gitlabRange(ctx, r)
	}
	base, err = r.Upstream(ctx)
	if err != nil {
		return "", "", fmt.Errorf("no range was given, no CI variables name one, and %w; run `acta verify BASE..HEAD`", err)
	}
	return base, "HEAD", nil
}

// githubRange reads GitHub's variables: a pull request's base branch, or the
// `before` and `after` of a push, from the event's payload
// (docs.github.com: "Variables", "Webhook events and payloads: push").
func (c command) githubRange(ctx context.Context, r *repo.Repo) (base, head string, err error) {
	if branch := c.Getenv("GITHUB_BASE_REF"); branch != "" {
		return "refs/remotes/origin/" + branch, "HEAD", nil
	}
	var event struct {
		Before     string `json:"before"`
		After      string `json:"after"`
		Repository struct {
			DefaultBranch string `json:"default_branch"`
		} `json:"repository"`
	}
	file := c.Getenv("GITHUB_EVENT_PATH")
	data, err := os.ReadFile(file)
	if err != nil {
		return "", "", fmt.Errorf("the event that started this workflow cannot be read: %w; run `acta verify BASE..HEAD`", err)
	}
	if err := json.Unmarshal(data, &event); err != nil {
		return "", "", fmt.Errorf("%s: %w", file, err)
	}
	if event.After == "" {
		return "", "", fmt.Errorf("the event in %s is neither a pull request nor a push; run `acta verify BASE..HEAD`", file)
	}
	if !isZero(event.Before) {
		return event.Before, event.After, nil
	}
	return newBranch(ctx, r, event.Repository.DefaultBranch, event.After)
}

// gitlabRange reads GitLab's variables (docs.gitlab.com: "Predefined CI/CD variables").
func (c command) gitlabRange(ctx context.Context, r *repo.Repo) (base, head string, err error) {
	if base := c.Getenv("CI_MERGE_REQUEST_DIFF_BASE_SHA"); base != "" {
		return base, "HEAD", nil
	}
	head = c.Getenv("CI_COMMIT_SHA")
	if head == "" {
		head = "HEAD"
	}
	if before := c.Getenv("CI_COMMIT_BEFORE_SHA"); !isZero(before) {
		return before, head, nil
	}
	return newBranch(ctx, r, c.Getenv("CI_DEFAULT_BRANCH"), head)
}

// newBranch starts the range of a branch that was not there before at its merge base with the default branch.
func newBranch(ctx context.Context, r *repo.Repo, branch, head string) (string, string, error) {
	if branch == "" {
		return "", "", errors.New("this branch is new and CI does not name the default branch; run `acta verify BASE..HEAD`")
	}
	ref := "refs/remotes/origin/" + branch
	base, err := r.MergeBase(ctx, ref, head)
	if errors.Is(err, repo.ErrNotFound) {
		return "", "", fmt.Errorf("this branch is new and its merge base with %s is not here: %w; fetch it (git fetch origin %s) or run `acta verify BASE..HEAD`", ref, err, branch)
	}
	return string(base), head, err
}

// isZero reports the all-zeros id that stands for «no commit», or none at all.
func isZero(id string) bool { return strings.Trim(id, "0") == "" }
