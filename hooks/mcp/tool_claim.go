package mcp

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/record/lease"
)

type claimInput struct {
	callerInput
	Unit string `json:"unit" jsonschema:"key or id of the task"`
	TTL  string `json:"ttl,omitempty" jsonschema:"the lease ends after this time, such as 30m; asking again extends it"`
}

type claimOutput struct {
	Unit     string   `json:"unit" jsonschema:"key of the task"`
	Agent    string   `json:"agent" jsonschema:"who holds it now"`
	IsNew    bool     `json:"taken" jsonschema:"false if you held it already"`
	Warnings []string `json:"warnings,omitempty"`
}

func (c *call) claim(ctx context.Context, in claimInput) (claimOutput, error) {
	ttl, err := timeToLive(in.TTL)
	if err != nil {
		return claimOutput{}, err
	}
	key, err := c.unitToHold(ctx, in.Unit)
	if err != nil {
		return claimOutput{}, err
	}
	taken, err := lease.Take(ctx, c.state, key, c.caller.Name, ttl, time.Now())
	if err != nil {
		return claimOutput{}, err
	}
	if taken {
		params := map[string]any{"unit": key, "agent": c.caller.Name}
		if ttl > 0 {
			params["ttl"] = ttl.String()
		}
		c.event(params)
	}
	return claimOutput{Unit: key, Agent: c.caller.Name, IsNew: taken, Warnings: c.warnings}, nil
}

func timeToLive(text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	ttl, err := time.ParseDuration(text)
	if err != nil || ttl < 0 {
		return 0, fmt.Errorf("ttl must be a time like 90s, 30m or 2h, not %q", text)
	}
	return ttl, nil
}

// unitToHold is the key of the unit to lease or release; the caller must be named.
func (c *call) unitToHold(ctx context.Context, unit string) (string, error) {
	if strings.TrimSpace(unit) == "" {
		return "", fmt.Errorf("%s needs a task", c.tool)
	}
	if c.caller.Name == "" {
		return "", refusal(rules.UnitNotOwned, "no actor is named", nameHint)
	}
	return judge.UnitKey(ctx, c.repo, strings.TrimSpace(unit))
}

type releaseInput struct {
	callerInput
	Unit  string `json:"unit" jsonschema:"key or id of the task"`
	Force bool   `json:"force,omitempty" jsonschema:"release what another actor holds; the event log says who did so"`
}

type releaseOutput struct {
	Unit        string   `json:"unit" jsonschema:"key of the task"`
	WasReleased bool     `json:"released" jsonschema:"false if nobody held it"`
	Agent       string   `json:"agent,omitempty" jsonschema:"who held it"`
	Warnings    []string `json:"warnings,omitempty"`
}

func (c *call) release(ctx context.Context, in releaseInput) (releaseOutput, error) {
	key, err := c.unitToHold(ctx, in.Unit)
	if err != nil {
		return releaseOutput{}, err
	}
	held, err := lease.Release(ctx, c.state, key, c.caller.Name, in.Force, time.Now())
	if err != nil {
		return releaseOutput{}, err
	}
	if held == nil {
		return releaseOutput{Unit: key, Warnings: c.warnings}, nil
	}
	c.event(map[string]any{"unit": held.Unit, "agent": held.Agent, "forced": held.Agent != c.caller.Name})
	return releaseOutput{Unit: held.Unit, WasReleased: true, Agent: held.Agent, Warnings: c.warnings}, nil
}
