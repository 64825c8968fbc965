package worklog

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/acta-git/acta/parser"
)

// Claim says who works on a unit.
type Claim struct {
	Agent string `json:"agent"`
	// ClaimedAt is when the agent took the unit.
	ClaimedAt time.Time `json:"claimed_at"`
	// ExpiresAt is when the claim lapses, where it was given a time to live; nil for never.
	ExpiresAt *time.Time `json:"expires_at,omitempty"`
}

func (c Claim) lapsed(now time.Time) bool { return c.ExpiresAt != nil && !now.Before(*c.ExpiresAt) }

// Claims are the units that are claimed, by key. What is below a claimed unit is claimed with it.
type Claims map[string]Claim

// Holding is a claim and the unit that was claimed.
type Holding struct {
	Unit string
	Claim
}

// OwnedError is a unit that somebody else holds.
type OwnedError struct {
	// Unit is the one that was asked for, or one below it that stands in the way.
	Unit string
	// Actor is who asked.
	Actor string
	// By is the claim that holds it.
	By Holding
}

func (e *OwnedError) Error() string {
	return fmt.Sprintf("Unit %s is owned by %s, not %s", e.Unit, e.By.Agent, e.Actor)
}

// HeldAboveError is a unit that is held by a claim on a unit above it.
type HeldAboveError struct {
	Unit string
	By   Holding
}

func (e *HeldAboveError) Error() string {
	return fmt.Sprintf("%s is held by the claim on %s, and has none of its own; release %s", e.Unit, e.By.Unit, e.By.Unit)
}

// claimsFile is where the claims of a repository stand in its local state.
const claimsFile = "unit-claims.json"

// ReadClaims reads the claims of a repository; commonDir is the git directory that
// its work trees share. Where nobody ever claimed a unit they are nil.
func ReadClaims(commonDir string) (Claims, error) {
	path := statePath(commonDir, claimsFile)
	data, err := readState(path)
	if err != nil || data == nil {
		return nil, err
	}
	return parseClaims(path, data)
}

func parseClaims(path string, data []byte) (Claims, error) {
	var c Claims
	if err := json.Unmarshal(data, &c); err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w; mend it, or remove it to give up every claim", path, err)
	}
	return c, nil
}

// Holder is the claim that holds a unit at a time: its own, else that of the nearest
// unit above it; nil where nobody holds it. unit is a key, or an id alone, which
// says nothing of what is above.
func (c Claims) Holder(unit string, now time.Time) *Holding {
	for at := unit; ; {
		if h := c.own(at, now); h != nil {
			return h
		}
		i := strings.LastIndexByte(at, '/')
		if i < 0 {
			return nil
		}
		at = at[:i]
	}
}

// own is the claim on the unit itself.
func (c Claims) own(unit string, now time.Time) *Holding {
	for _, key := range slices.Sorted(maps.Keys(c)) {
		if parser.SameUnit(key, unit) && !c[key].lapsed(now) {
			return &Holding{key, c[key]}
		}
	}
	return nil
}

// Allow refuses a unit to an actor while somebody else holds it: *OwnedError, or *UnnamedError where actor is "".
func (c Claims) Allow(unit, actor string, now time.Time) error {
	held := c.Holder(unit, now)
	switch {
	case held == nil || held.Agent == actor:
		return nil
	case actor == "":
		return &UnnamedError{unit, *held}
	}
	return &OwnedError{unit, actor, *held}
}

// below is a claim of somebody else on a unit below the given one.
func (c Claims) below(unit, agent string, now time.Time) *Holding {
	for _, key := range slices.Sorted(maps.Keys(c)) {
		if strings.HasPrefix(key, unit+"/") && c[key].Agent != agent && !c[key].lapsed(now) {
			return &Holding{key, c[key]}
		}
	}
	return nil
}

// Take claims a unit for an agent, one winner among all processes and work trees;
// whoever loses gets an *OwnedError. With a time to live above 0 the claim lapses
// after that time, and claiming again extends it. taken is false where the agent
// holds the unit already and nothing changed.
func Take(ctx context.Context, commonDir, unit, agent string, ttl time.Duration, now time.Time) (taken bool, err error) {
	err = changeClaims(ctx, commonDir, func(c Claims) (bool, error) {
		held := c.Holder(unit, now)
		switch {
		case held != nil && held.Agent != agent:
			return false, &OwnedError{unit, agent, *held}
		case held != nil && ttl == 0:
			return false, nil
		}
		if b := c.below(unit, agent, now); b != nil {
			return false, &OwnedError{b.Unit, agent, *b}
		}
		claim := Claim{Agent: agent, ClaimedAt: now.UTC().Truncate(time.Second)}
		if held != nil && held.Unit == unit {
			claim.ClaimedAt = held.ClaimedAt
		}
		if ttl > 0 {
			until := now.Add(ttl).UTC().Truncate(time.Millisecond)
			claim.ExpiresAt = &until
		}
		maps.DeleteFunc(c, func(_ string, c Claim) bool { return c.lapsed(now) })
		c[unit], taken = claim, true
		return true, nil
	})
	return taken && err == nil, err
}

// Release gives up the claim on a unit and returns it; nil where the unit was not
// claimed. The claim of somebody else is an *OwnedError, unless force is set; one
// on a unit above is a *HeldAboveError.
func Release(ctx context.Context, commonDir, unit, agent string, force bool, now time.Time) (released *Holding, err error) {
	err = changeClaims(ctx, commonDir, func(c Claims) (bool, error) {
		held := c.own(unit, now)
		if held == nil {
			if above := c.Holder(unit, now); above != nil {
				return false, &HeldAboveError{unit, *above}
			}
			return false, nil
		}
		if held.Agent != agent && !force {
			return false, &OwnedError{unit, agent, *held}
		}
		delete(c, held.Unit)
		released = held
		return true, nil
	})
	if err != nil {
		return nil, err
	}
	return released, nil
}

// changeClaims lets change see the claims and change them while no other process does.
func changeClaims(ctx context.Context, commonDir string, change func(Claims) (changed bool, err error)) error {
	return ChangeState(ctx, commonDir, claimsFile, func(data []byte) ([]byte, error) {
		claims := Claims{}
		if data != nil {
			var err error
			if claims, err = parseClaims(statePath(commonDir, claimsFile), data); err != nil {
				return nil, err
			}
		}
		if claims == nil { // the file says null
			claims = Claims{}
		}
		if changed, err := change(claims); err != nil || !changed {
			return nil, err
		}
		return indented(claims) // a unit a line, for whoever looks
	})
}
