package worklog

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/acta-git/acta/repo"
)

const (
	// SummaryPrefix is where what remains of old sessions stands: refs/worklog-summary/<YYYY-MM-DD>, by the day
	// (UTC) on which they began. The tree holds summary.yaml, the totals of the day, and sessions/<id>.json, a
	// Pattern each: a session is there once, whoever summed it up.
	SummaryPrefix = "refs/worklog-summary/"
	// SummaryOfPrefix is where summaries of other clones are fetched to: refs/worklog-summary-of/<clone>/<YYYY-MM-DD>.
	SummaryOfPrefix = "refs/worklog-summary-of/"

	totalsFile = "summary.yaml"
)

func patternFile(id string) string { return "sessions/" + id + ".json" }

// dayOf is the day on which a session began, as its id has it.
func dayOf(id string) string { return id[:4] + "-" + id[4:6] + "-" + id[6:8] }

// isDay reports whether a name is that of a day.
func isDay(name string) bool {
	_, err := time.Parse(time.DateOnly, name)
	return err == nil
}

// patternAt reads one pattern; nil where the tree has none.
func patternAt(ctx context.Context, tree *repo.Snapshot, path, id string) (*Pattern, error) {
	e, err := tree.Entry(ctx, path)
	if errors.Is(err, repo.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	data, err := tree.Blob(ctx, e.ID)
	if err != nil {
		return nil, err
	}
	var p Pattern
	if err := json.Unmarshal(data, &p); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if !p.valid(id) {
		return nil, fmt.Errorf("%s is no summary of session %s", path, id)
	}
	return &p, nil
}

// readDay reads the patterns of a summary's commit. One that cannot be read is an error beside the others.
func readDay(ctx context.Context, r *repo.Repo, at repo.ID) (map[string]Pattern, error) {
	c, err := r.Commit(ctx, string(at))
	if err != nil {
		return nil, err
	}
	tree := r.Snapshot(c.Tree)
	paths, err := tree.Paths(ctx)
	if err != nil {
		return nil, err
	}
	if err := tree.Prefetch(ctx, paths, 1<<20); err != nil {
		return nil, err
	}
	all, unread := map[string]Pattern{}, error(nil)
	for _, path := range paths {
		id, ok := strings.CutPrefix(strings.TrimSuffix(path, ".json"), "sessions/")
		if !ok || !IsSessionID(id) {
			continue
		}
		p, err := patternAt(ctx, tree, path, id)
		if err != nil {
			unread = errors.Join(unread, err)
		} else {
			all[id] = *p
		}
	}
	return all, unread
}

// union adds to one day what another has. Two that tell differently of one session agree on the one that tells more, wherever they meet.
func union(into, from map[string]Pattern) {
	for id, p := range from {
		if have, ok := into[id]; !ok || p.tellsMore(have) {
			into[id] = p
		}
	}
}

func (p Pattern) tellsMore(than Pattern) bool {
	if c := cmp.Compare(p.Captured+p.Missed, than.Captured+than.Missed); c != 0 {
		return c > 0
	}
	one, errOne := marshal(p)
	other, errOther := marshal(than)
	return errOne == nil && errOther == nil && string(one) > string(other)
}

// dayFiles is the tree of a day.
func dayFiles(day string, all map[string]Pattern) (map[string][]byte, error) {
	document := struct {
		Version string `json:"version"`
		Date    string `json:"date"`
		Totals
	}{Version, day, totals(all)}
	out, err := toYAML(&document)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{totalsFile: out}
	for id, p := range all {
		if files[patternFile(id)], err = marshal(p); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// byDay sorts the refs below a prefix by the day that they name.
func byDay(refs []repo.Ref, prefix string) map[string][]repo.Ref {
	days := map[string][]repo.Ref{}
	for _, ref := range refs {
		day := ref.Name[strings.LastIndexByte(ref.Name, '/')+1:]
		if strings.HasPrefix(ref.Name, prefix) && isDay(day) {
			days[day] = append(days[day], ref)
		}
	}
	return days
}

// Patterns are what remains of all sessions that were summed up, here or in clones whose summaries were fetched, each
// once, by id. What cannot be read is a warning.
func Patterns(ctx context.Context, r *repo.Repo) (all map[string]Pattern, warnings []string, err error) {
	refs, err := r.Refs(ctx, SummaryPrefix, SummaryOfPrefix)
	if err != nil {
		return nil, nil, err
	}
	all = map[string]Pattern{}
	for _, ref := range refs {
		if !isDay(ref.Name[strings.LastIndexByte(ref.Name, '/')+1:]) {
			continue
		}
		found, err := readDay(ctx, r, ref.ID)
		if err != nil {
			warnings = append(warnings, fmt.Sprintf("%s cannot be read: %v", ref.Name, err))
		}
		union(all, found)
	}
	return all, warnings, nil
}
