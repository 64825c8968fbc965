package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/acta-git/acta/repo"
)

// gitlabRange reads GitLab's variables (docs.gitlab.com: "Predefined CI/CD
// variables"). In a pipeline for merged results HEAD is a merge made for the test.
func (c command) gitlabRange(ctx context.Context, r *repo.Repo) (base, head string, err error) {
	head = orHEAD(c.Getenv("CI_COMMIT_SHA"))
	if base := c.Getenv("CI_MERGE_REQUEST_DIFF_BASE_SHA"); base != "" {
		if source := c.Getenv("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA"); source != "" {
			head = source
		}
		return base, head, nil
	}
	p := push{
		before: c.Getenv("CI_COMMIT_BEFORE_SHA"), after: head, branch: c.Getenv("CI_COMMIT_BRANCH"),
		main: c.Getenv("CI_DEFAULT_BRANCH"),
	}
	if isZero(p.before) && c.Getenv("CI_PIPELINE_SOURCE") != "push" {
		p.before = "" // zeros stand for «unknown» in a pipeline that no push started
	}
	return p.commits(ctx, r)
}

// jenkinsRange reads what Jenkins' branch sources and its git plugin set
// (plugins.jenkins.io: "git", environment variables; "branch-api"). What an
// earlier build refused is judged again until a build succeeds.
func (c command) jenkinsRange(ctx context.Context, r *repo.Repo) (base, head string, err error) {
	head = orHEAD(c.Getenv("GIT_COMMIT"))
	if target := c.Getenv("CHANGE_TARGET"); target != "" {
		return addedTo(ctx, r, target, head)
	}
	p := push{before: c.Getenv("GIT_PREVIOUS_SUCCESSFUL_COMMIT"), after: head, branch: c.Getenv("BRANCH_NAME")}
	if c.Getenv("BRANCH_IS_PRIMARY") == "true" {
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
	head = orHEAD(c.Getenv("BUILDKITE_COMMIT"))
	if base := c.Getenv("BUILDKITE_MERGE_QUEUE_BASE_COMMIT"); base != "" {
		return base, head, nil
	}
	if branch := c.Getenv("BUILDKITE_PULL_REQUEST_BASE_BRANCH"); branch != "" {
		return addedTo(ctx, r, branch, head)
	}
	return push{
		after: head, branch: c.Getenv("BUILDKITE_BRANCH"), main: c.Getenv("BUILDKITE_PIPELINE_DEFAULT_BRANCH"),
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
		return fmt.Errorf("%s is %s itself, and nothing tells what is new on it; run `acta verify BASE..HEAD`", head, base)
	}
	return nil
}
