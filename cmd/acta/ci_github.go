package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/acta-git/acta/repo"
)

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
	branch := c.Getenv("GITHUB_BASE_REF")
	switch {
	case branch != "" &&
		(err == nil && event.PullRequest.Head.SHA != "" || c.Getenv("GITHUB_EVENT_NAME") != "pull_request_target"):
		return githubPullRequest(ctx, r, branch, event)
	case err != nil:
		return "", "", err
	case event.MergeGroup.HeadSHA != "":
		return event.MergeGroup.BaseSHA, event.MergeGroup.HeadSHA, nil
	case event.After == "":
		return "", "", fmt.Errorf(
			"the event in %s is neither a pull request, a push nor a merge group; run `acta verify BASE..HEAD`",
			c.Getenv("GITHUB_EVENT_PATH"))
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
	base, head, err = addedTo(ctx, r, branch, orHEAD(event.PullRequest.Head.SHA))
	if err != nil && event.PullRequest.Base.SHA != "" {
		if c, missing := r.Commit(ctx, event.PullRequest.Base.SHA); missing == nil {
			return string(c.ID), orHEAD(event.PullRequest.Head.SHA), nil
		}
	}
	return base, head, err
}

func (c command) githubEvent() (githubEvent, error) {
	var event githubEvent
	file := c.Getenv("GITHUB_EVENT_PATH")
	data, err := os.ReadFile(file)
	if err != nil {
		return event, fmt.Errorf("the event that started this workflow cannot be read: %w; run `acta verify BASE..HEAD`", err)
	}
	if err := json.Unmarshal(data, &event); err != nil {
		return event, fmt.Errorf("%s: %w", file, err)
	}
	return event, nil
}
