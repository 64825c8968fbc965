package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/excerpt"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/repo"
)

func (c command) parse() *cli.Command {
	var commits string
	return &cli.Command{
		Name: "parse",
		Flags: []cli.Flag{
			textFlag(&commits, "commits", "read the messages of the commits in `RANGE`"),
		},
		Action: atMost(1, func(ctx *cli.Context) error {
			if commits != "" {
				if ctx.NArg() > 0 {
					return usagef("parse takes a file or --commits, not both")
				}
				return c.parseCommits(ctx.Context, commits)
			}
			file := ctx.Args().First()
			if file == "" {
				file = "-"
			}
			message, rest, err := c.readMessage(file, excerpt.Read)
			if err != nil {
				return err
			}
			return c.writeParsed("", parser.ParseExcerpt(message, rest))
		}),
	}
}

func (c command) parseCommits(ctx context.Context, commits string) error {
	base, head, err := splitRange(commits)
	if err != nil {
		return err
	}
	r, err := repo.Open(ctx, ".", repo.Options{})
	if err != nil {
		return err
	}
	defer r.Close()
	ids, err := r.Range(ctx, base, head)
	if err != nil {
		return err
	}
	for _, id := range ids {
		commit, err := r.Commit(ctx, string(id))
		if err != nil {
			return err
		}
		if err := c.writeParsed(string(id), parser.ParseExcerpt(commit.Message, commit.Beyond)); err != nil {
			return err
		}
	}
	return nil
}

// parsed is a message as `acta parse` prints it.
type parsed struct {
	Commit   string          `json:"commit,omitempty"`
	Kind     parser.Kind     `json:"kind"`
	Unit     string          `json:"unit"`
	Summary  string          `json:"summary"`
	Trailers []parsedTrailer `json:"trailers"`
	Items    []parsedItem    `json:"items"`
	// Parts are the titles of a joined message, each with its own items.
	Parts []parsedPart `json:"parts,omitempty"`
}

type parsedTrailer struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

type parsedItem struct {
	Item     string        `json:"item"`
	Status   parser.Status `json:"status"`
	Evidence string        `json:"evidence,omitempty"`
	Reason   string        `json:"reason,omitempty"`
}

type parsedPart struct {
	Kind    parser.Kind  `json:"kind"`
	Unit    string       `json:"unit"`
	Summary string       `json:"summary"`
	Items   []parsedItem `json:"items"`
}

func (c command) writeParsed(commit string, m *parser.Message) error {
	out := parsed{Commit: commit, Trailers: []parsedTrailer{}, Items: []parsedItem{}}
	for _, t := range m.Trailers {
		out.Trailers = append(out.Trailers, parsedTrailer{t.Key.Value, t.Value.Value})
	}
	for i, part := range m.Parts {
		p := parsedPart{part.Kind, part.Unit.Value, part.Summary.Value, items(part.Claims)}
		if i == 0 {
			out.Kind, out.Unit, out.Summary = p.Kind, p.Unit, p.Summary
		}
		out.Items = append(out.Items, p.Items...)
		if m.Joined {
			out.Parts = append(out.Parts, p)
		}
	}
	return diag.WriteLine(c.Stdout, out)
}

// items lists the claims that count without a plan: a task-list line needs its « | ».
func items(claims []parser.Claim) []parsedItem {
	out := []parsedItem{}
	for _, claim := range claims {
		if claim.Source == parser.FromTaskList && !claim.Separated {
			continue
		}
		out = append(out, parsedItem{claim.Item.Value, claim.Status, claim.Cited.Value, claim.Reason.Value})
	}
	return out
}
