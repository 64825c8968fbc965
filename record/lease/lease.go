// Package lease says who holds which unit of the plan. Of all processes and work trees one wins, for a time or until
// the unit is released. Leases lie in the local state and are never pushed; docs/plan.md says more.
//
// A unit and an actor go in; a lease, or the error that names its owner, comes out. It must never import hooks or a
// command.
package lease

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo/state"
)

// Lease says who works on a unit.
type Lease struct {
	Agent string `json:"agent"`
	// ClaimedAt is when the agent took the unit.
	ClaimedAt time.Time `json:"claimed_at"`
	// ExpiresAt is when the lease lapses, where it was given a time to live; nil for never.
	ExpiresAt *time.Time `json:"expires_at,omitempty"`
}

func (l Lease) lapsed(now time.Time) bool { return l.ExpiresAt != nil && !now.Before(*l.ExpiresAt) }

// Leases are those of a repository, by the key of their unit. Who holds a unit holds what is below it.
type Leases map[string]Lease

// Holding is a lease and its unit.
type Holding struct {
	Unit string
	Lease
}

// OwnedError is a unit that somebody else holds.
type OwnedError struct {
	// Unit is the one that was asked for, or one below it that stands in the way.
	Unit string
	// Actor is who asked.
	Actor string
	// By is the lease that holds it.
	By Holding
}

// Error names who holds the unit, so that the other can ask.
func (e *OwnedError) Error() string {
	if e.Actor == "" {
		return fmt.Sprintf("Task %s is owned by %s, and no actor is named", e.Unit, e.By.Agent)
	}
	return fmt.Sprintf("Task %s is owned by %s, not %s", e.Unit, e.By.Agent, e.Actor)
}

// HeldAboveError is a unit that is held by a lease on a unit above it.
type HeldAboveError struct {
	Unit string
	By   Holding
}

// Error names the unit to release instead.
func (e *HeldAboveError) Error() string {
	return fmt.Sprintf("%s is held by the lease of %s, and has none of its own; release %s", e.Unit, e.By.Unit, e.By.Unit)
}

// file is where the leases of a repository stand in its local state.
const file = "unit-claims.json"

// Read reads the leases of a repository; commonDir is the git directory that
// its work trees share. Where nobody ever leased a unit they are nil.
func Read(commonDir string) (Leases, error) {
	path := state.Path(commonDir, file)
	data, err := state.Read(path)
	if err != nil || data == nil {
		return nil, err
	}
	return parse(path, data)
}

func parse(path string, data []byte) (l Leases, err error) {
	if err := json.Unmarshal(data, &l); err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w; fix it, or remove it to give up every lease", path, err)
	}
	return l, nil
}

// Holder is the lease that holds a unit at a time: its own, else that of the nearest
// unit above it; nil where nobody holds it. unit is a key, or an id alone, which
// says nothing of what is above.
func (l Leases) Holder(unit string, now time.Time) *Holding {
	for at := unit; ; {
		if h := l.on(at, now); h != nil {
			return h
		}
		i := strings.LastIndexByte(at, '/')
		if i < 0 {
			return nil
		}
		at = at[:i]
	}
}

// on is the lease on the unit itself.
func (l Leases) on(unit string, now time.Time) *Holding {
	for _, key := range slices.Sorted(maps.Keys(l)) {
		if parser.SameUnit(key, unit) && !l[key].lapsed(now) {
			return &Holding{key, l[key]}
		}
	}
	return nil
}

// Allow refuses a unit to an actor while somebody else holds it, by an *OwnedError.
func (l Leases) Allow(unit, actor string, now time.Time) error {
	held := l.Holder(unit, now)
	if held == nil || held.Agent == actor {
		return nil
	}
	return &OwnedError{unit, actor, *held}
}

// below is a lease of somebody else on a unit below the given one.
func (l Leases) below(unit, agent string, now time.Time) *Holding {
	for _, key := range slices.Sorted(maps.Keys(l)) {
		if strings.HasPrefix(key, unit+"/") && l[key].Agent != agent && !l[key].lapsed(now) {
			return &Holding{key, l[key]}
		}
	}
	return nil
}

// Take leases a unit to an agent; whoever comes too late gets an *OwnedError. With a time to live above 0 the lease
// lapses after that time, and asking again extends it. taken is false where the agent
// holds the unit already and nothing changed.
func Take(
	ctx context.Context, commonDir, unit, agent string, ttl time.Duration, now time.Time,
) (taken bool, err error) {
	err = change(ctx, commonDir, func(all Leases) (bool, error) {
		held := all.Holder(unit, now)
		switch {
		case held != nil && held.Agent != agent:
			return false, &OwnedError{unit, agent, *held}
		case held != nil && ttl == 0:
			return false, nil
		}
		if b := all.below(unit, agent, now); b != nil {
			return false, &OwnedError{b.Unit, agent, *b}
		}
		one := Lease{Agent: agent, ClaimedAt: now.UTC().Truncate(time.Second)}
		if held != nil && held.Unit == unit {
			one.ClaimedAt = held.ClaimedAt
		}
		if ttl > 0 {
			until := now.Add(ttl).UTC().Truncate(time.Millisecond)
			one.ExpiresAt = &until
		}
		maps.DeleteFunc(all, func(_ string, l Lease) bool { return l.lapsed(now) })
		all[unit], taken = one, true
		return true, nil
	})
	return taken && err == nil, err
}

// Release gives up the lease of a unit and returns it; nil where the unit was not
// leased. The lease of somebody else is an *OwnedError, unless force is set; one
// on a unit above is a *HeldAboveError.
func Release(
	ctx context.Context, commonDir, unit, agent string, force bool, now time.Time,
) (released *Holding, err error) {
	err = change(ctx, commonDir, func(all Leases) (bool, error) {
		held := all.on(unit, now)
		if held == nil {
			if above := all.Holder(unit, now); above != nil {
				return false, &HeldAboveError{unit, *above}
			}
			return false, nil
		}
		if held.Agent != agent && !force {
			return false, &OwnedError{unit, agent, *held}
		}
		delete(all, held.Unit)
		released = held
		return true, nil
	})
	if err != nil {
		return nil, err
	}
	return released, nil
}

// change lets use see the leases and change them while no other process does.
func change(ctx context.Context, commonDir string, use func(Leases) (changed bool, err error)) error {
	return state.Change(ctx, commonDir, file, func(data []byte) (out []byte, err error) {
		all := Leases{}
		if data != nil {
			if all, err = parse(state.Path(commonDir, file), data); err != nil {
				return nil, err
			}
		}
		if all == nil { // the file says null
			all = Leases{}
		}
		if changed, err := use(all); err != nil || !changed {
			return nil, err
		}
		return state.IndentedJSON(all)
	})
}

// OwnTask is the first open task of a plan that an actor holds; nil for none.
func (l Leases) OwnTask(root *plan.Unit, actor string, now time.Time) *plan.Node {
	for _, n := range plan.NewIndex(root).Nodes {
		if h := l.Holder(n.Key, now); actor != "" && h != nil && h.Agent == actor && n.IsTask() && n.Status != plan.Complete {
			return n
		}
	}
	return nil
}

// NextTask is the task of a plan that an actor may take now: plan.Next, past what
// others hold. Where there is none it is nil, and why says what the open tasks wait for.
func (l Leases) NextTask(root *plan.Unit, actor string, now time.Time) (task *plan.Node, why string) {
	free := func(key string) bool {
		h := l.Holder(key, now)
		return h == nil || h.Agent == actor
	}
	if task = plan.Next(root, free); task != nil {
		return task, ""
	}
	var open, escalated, held int
	for _, n := range plan.NewIndex(root).Nodes {
		if !n.IsTask() || n.Status == plan.Complete {
			continue
		}
		open++
		if n.FailureThreshold >= plan.Escalated {
			escalated++
		} else if !free(n.Key) {
			held++
		}
	}
	if open == 0 {
		return nil, "no task is open"
	}
	return nil, fmt.Sprintf("no task can be taken: of %d open tasks, %d are escalated, %d are held by others, and %d "+
		"wait for other tasks",
		open, escalated, held, open-escalated-held)
}
