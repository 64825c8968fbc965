package mcp

import (
	"bytes"
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/worklog"
)

// The resources that a client can list and read.
const (
	planURI    = "acta://plan"
	worklogURI = "acta://worklog"
)

const mimeJSON = "application/json"

func (s *server) addResources() {
	s.addResource(&sdk.Resource{
		URI: planURI, Name: "plan", Title: "The plan", MIMEType: mimeJSON,
		Description: "The plan of the work tree, else of HEAD: a tree of tasks with their checklists and statuses.",
	}, func(ctx context.Context, c *call) ([]byte, error) {
		p, err := c.workPlan(ctx)
		if err != nil {
			return nil, err
		}
		return plan.Write(p.root), nil
	})
	s.addResource(&sdk.Resource{
		URI: worklogURI, Name: "worklog", Title: "The running worklog", MIMEType: mimeJSON,
		Description: "What was done in the session that runs in this work tree, ACT and ADAPT commits and their verdicts " +
			"included.",
	}, func(ctx context.Context, c *call) ([]byte, error) { return c.runningWorklog(ctx) })
}

// addResource offers a resource, read anew each time.
func (s *server) addResource(r *sdk.Resource, read func(context.Context, *call) ([]byte, error)) {
	s.sdk.AddResource(r, func(ctx context.Context, _ *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		c, err := s.begin(ctx, r.Name, who{}, nil)
		if err != nil {
			return nil, err
		}
		defer c.repo.Close()
		text, err := read(ctx, c)
		if err != nil {
			return nil, err
		}
		return &sdk.ReadResourceResult{
			Contents: []*sdk.ResourceContents{{URI: r.URI, MIMEType: r.MIMEType, Text: string(text)}},
		}, nil
	})
}

func (c *call) runningWorklog(ctx context.Context) ([]byte, error) {
	live, err := worklog.Choose(c.state, c.gitDir, c.Env.Get("ACTA_SESSION"))
	if err != nil {
		return nil, err
	}
	all, warnings, err := worklog.Sessions(ctx, c.repo, c.state)
	for _, w := range warnings {
		c.Log.Warn(w)
	}
	if err != nil {
		return nil, err
	}
	session, err := worklog.Find(all, live.ID)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = session.Write(&b, "json")
	return b.Bytes(), err
}
