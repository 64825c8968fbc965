package main

import (
	"cmp"
	"context"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/acta-git/acta/repo"
)

// repositoryName is what the repository is called by every job: as the CI service has it, else as the
// remote origin does, else by its folder.
func (c command) repositoryName(ctx context.Context, r *repo.Repo) (string, error) {
	if name := cmp.Or(c.Getenv("GITHUB_REPOSITORY"), c.Getenv("CI_PROJECT_PATH")); name != "" {
		return name, nil
	}
	const key = "remote.origin.url"
	config, err := r.Config(ctx, key)
	if err != nil {
		return "", err
	}
	if name := nameInURL(cmp.Or(c.Getenv("BUILDKITE_REPO"), c.Getenv("GIT_URL"), config[key])); name != "" {
		return name, nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	if g, err := r.Geometry(ctx); err == nil && g.Top != "" {
		dir = g.Top
	}
	return filepath.Base(dir), nil
}

// nameInURL is the path in the address of a remote, without the end that git takes either way. Neither host nor
// user is part of it: jobs may reach one repository by several. A folder is known by its name.
func nameInURL(remote string) string {
	if u, err := url.Parse(remote); err == nil && u.Scheme != "" && u.Host != "" {
		remote = u.Path
	} else if host, rest, scp := strings.Cut(remote, ":"); scp && !strings.Contains(host, "/") && len(host) > 1 {
		remote = rest // user@host:path
	} else {
		remote = path.Base(filepath.ToSlash(remote))
	}
	name := strings.Trim(strings.TrimSuffix(strings.TrimSuffix(remote, "/"), ".git"), "/")
	if name == "." {
		return ""
	}
	return name
}

// landedByCI tells whether the head of a range is on the default branch, where the CI service says so
// of the commit that is checked out; nil where git is to be asked.
func (c command) landedByCI(ctx context.Context, r *repo.Repo, span judgedRange) (*bool, error) {
	if span.given {
		named, err := r.Commit(ctx, span.head)
		if err != nil {
			return nil, err
		}
		if head, err := r.Head(ctx); err != nil || head.ID != named.ID {
			return nil, err
		}
	}
	branch, main := "", ""
	switch {
	case c.Getenv("GITHUB_ACTIONS") == "true":
		event, err := c.githubEvent()
		if err != nil || event.After == "" && event.MergeGroup.HeadSHA == "" && event.PullRequest.Head.SHA == "" {
			return nil, nil // a schedule, for one
		}
		if c.Getenv("GITHUB_BASE_REF") == "" {
			branch, main = event.Ref, "refs/heads/"+event.Repository.DefaultBranch
		}
	case c.Getenv("GITLAB_CI") == "true":
		branch, main = c.Getenv("CI_COMMIT_BRANCH"), c.Getenv("CI_DEFAULT_BRANCH")
	case c.Getenv("BUILDKITE") == "true":
		if pull := c.Getenv("BUILDKITE_PULL_REQUEST"); pull == "" || pull == "false" {
			branch, main = c.Getenv("BUILDKITE_BRANCH"), c.Getenv("BUILDKITE_PIPELINE_DEFAULT_BRANCH")
		}
	case c.Getenv("JENKINS_URL") != "" && c.Getenv("BRANCH_NAME") != "":
		branch, main = c.Getenv("BRANCH_IS_PRIMARY"), "true" // and of a change request it is not set
	default:
		return nil, nil
	}
	return new(branch != "" && branch == main), nil
}
