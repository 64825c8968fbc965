// Package lease records who holds which unit of the plan. Among all processes and work trees one agent wins, for a time
// or until it releases the unit. Leases lie in the local state and are never pushed; see docs/plan.md.
//
// A unit and an actor go in; a lease, or the error that names the owner, comes out. It must never import hooks or a
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
	Agent     string    `json:"agent"`
	ClaimedAt time.Time `json:"claimed_at"`
	// ExpiresAt is when the lease expires; nil for never.
	ExpiresAt *time.Time `json:"expires_at,omitempty"`
}

func (l Lease) hasExpired(now time.Time) bool { return l.ExpiresAt != nil && !now.Before(*l.ExpiresAt) }

// Leases are a repository's leases, by the key of their unit. A lease of a unit covers the units below it.
type Leases map[string]Lease

// UnitLease is a lease and its unit.
type UnitLease struct {
	Unit string
	Lease
}

// OwnedError means that somebody else holds the unit.
type OwnedError struct {
	// Unit is the requested one, or the one below it that is held.
	Unit  string
	Actor string
	// Holder is the lease that covers it.
	Holder UnitLease
}

// Error names the owner, so that the caller can ask.
func (e *OwnedError) Error() string {
	if e.Actor == "" {
		return fmt.Sprintf("Task %s is owned by %s, and no actor is named", e.Unit, e.Holder.Agent)
	}
	return fmt.Sprintf("Task %s is owned by %s, not %s", e.Unit, e.Holder.Agent, e.Actor)
}

// ParentLeaseError means that the unit is covered by a lease of a unit above it.
type ParentLeaseError struct {
	Unit   string
	Parent UnitLease
}

// Error names the unit to release instead.
func (e *ParentLeaseError) Error() string {
	return fmt.Sprintf("%s is held by the lease of %s, and has none of its own; release %s", e.Unit, e.Parent.Unit,
		e.Parent.Unit)
}

const fileName = "unit-claims.json"

// Read reads the leases of a repository; commonDir is the git directory that its work trees share. nil if nobody ever
// leased a unit.
func Read(commonDir string) (Leases, error) {
	path := state.Path(commonDir, fileName)
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

// Holder is the lease that covers a unit at a time: its own, else that of the nearest unit above it; nil if nobody
// holds it. unit is a key; a bare id says nothing of the units above.
func (l Leases) Holder(unit string, now time.Time) *UnitLease {
	for at := unit; at != ""; at = plan.KeyAbove(at) {
		if h := l.leaseOn(at, now); h != nil {
			return h
		}
	}
	return nil
}

func (l Leases) leaseOn(unit string, now time.Time) *UnitLease {
	return l.find(now, func(held UnitLease) bool { return parser.SameUnit(held.Unit, unit) })
}

// find is the first lease, by its unit, that has not expired and that a caller looks for; nil for none.
func (l Leases) find(now time.Time, isIt func(UnitLease) bool) *UnitLease {
	for _, key := range slices.Sorted(maps.Keys(l)) {
		if held := (UnitLease{key, l[key]}); !held.hasExpired(now) && isIt(held) {
			return &held
		}
	}
	return nil
}

// CheckOwner returns an *OwnedError if somebody else holds the unit.
func (l Leases) CheckOwner(unit, actor string, now time.Time) error {
	held := l.Holder(unit, now)
	if held == nil || held.Agent == actor {
		return nil
	}
	return &OwnedError{unit, actor, *held}
}

// Take leases a unit to an agent; if somebody else holds it, the error is an *OwnedError. With a ttl above 0 the lease
// expires after that time, and taking it again extends it. isNew is false if the agent already holds the unit and
// nothing changed.
func Take(
	ctx context.Context, commonDir, unit, agent string, ttl time.Duration, now time.Time,
) (isNew bool, err error) {
	err = update(ctx, commonDir, func(all Leases) (bool, error) {
		held := all.Holder(unit, now)
		switch {
		case held != nil && held.Agent != agent:
			return false, &OwnedError{unit, agent, *held}
		case held != nil && ttl == 0:
			return false, nil
		}
		isOthers := func(l UnitLease) bool { return strings.HasPrefix(l.Unit, unit+"/") && l.Agent != agent }
		if b := all.find(now, isOthers); b != nil {
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
		maps.DeleteFunc(all, func(_ string, l Lease) bool { return l.hasExpired(now) })
		all[unit], isNew = one, true
		return true, nil
	})
	return isNew && err == nil, err
}

// Release removes the lease of a unit and returns it; nil if the unit has none. Another agent's lease is an
// *OwnedError, unless force is set; one on a unit above is a *ParentLeaseError.
func Release(
	ctx context.Context, commonDir, unit, agent string, force bool, now time.Time,
) (released *UnitLease, err error) {
	err = update(ctx, commonDir, func(all Leases) (bool, error) {
		held := all.leaseOn(unit, now)
		if held == nil {
			if above := all.Holder(unit, now); above != nil {
				return false, &ParentLeaseError{unit, *above}
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

func update(ctx context.Context, commonDir string, edit func(Leases) (changed bool, err error)) error {
	return state.Change(ctx, commonDir, fileName, func(data []byte) (out []byte, err error) {
		all := Leases{}
		if data != nil {
			if all, err = parse(state.Path(commonDir, fileName), data); err != nil {
				return nil, err
			}
		}
		if all == nil { // the file says null
			all = Leases{}
		}
		if changed, err := edit(all); err != nil || !changed {
			return nil, err
		}
		return state.IndentedJSON(all)
	})
}

// HeldTask is the first open task of a plan that an actor holds; nil for none.
func (l Leases) HeldTask(root *plan.Unit, actor string, now time.Time) *plan.Node {
	for _, n := range plan.NewIndex(root).Nodes {
		if h := l.Holder(n.Key, now); actor != "" && h != nil && h.Agent == actor && n.IsTask() && n.Status != plan.Complete {
			return n
		}
	}
	return nil
}

// NextTask is the next task that an actor may take: plan.Next, without tasks that others hold. If it is nil, reason
// says why.
func (l Leases) NextTask(root *plan.Unit, actor string, now time.Time) (task *plan.Node, reason string) {
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
