package repo

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"
)

func TestMentionsAreWhatTheMessagesOfAHistorySay(t *testing.T) {
	s := newScratch(t)
	ctx := context.Background()
	first := s.commit("ACT: T01 one", "a", "1")
	s.commit("nothing to see", "a", "2")
	s.git("checkout", "-q", "-b", "side")
	side := s.commit("work\n\nFor: m/T01", "b", "1")
	s.git("checkout", "-q", "main")
	head := s.commit("act: t01 in small letters, (a+b)*[c]", "a", "3")
	r := s.open()
	for text, want := range map[string][]ID{
		"T01": {head, first}, "(A+B)*[C]": {head}, "T01\nnothing": {head, first}, "no such text": nil, "-T01": nil,
	} {
		got, err := r.CommitsMentioning(ctx, []ID{head}, []string{text})
		cut, bad := r.HasShallowEnd(ctx, []ID{head})
		if err != nil || bad != nil || cut || !slices.Equal(got, want) {
			t.Errorf("%q: %v, %v, %v; want %v", text, got, cut, err, want)
		}
	}
	got, err := r.CommitsMentioning(ctx, []ID{head, side}, []string{"nothing", "For:"})
	if err != nil || len(got) != 2 || !slices.Contains(got, side) {
		t.Errorf("two tips and texts: %v, %v", got, err)
	}
	if got, err := r.CommitsMentioning(ctx, nil, []string{"T01"}); err != nil || got != nil {
		t.Errorf("no tips: %v, %v", got, err)
	}
	if _, err := r.CommitsMentioning(ctx, []ID{"--all"}, []string{"T01"}); err == nil {
		t.Error("an option passed for an id")
	}
}

func TestMentionsTellWhereAShallowCloneCuts(t *testing.T) {
	s := newScratch(t)
	s.commit("ACT: T01 one", "a", "1")
	s.commit("two", "a", "2")
	head := s.commit("three", "a", "3")
	dir := filepath.Join(t.TempDir(), "clone")
	s.git("clone", "-q", "--depth", "2", s.url(), dir)
	clone := s.at(dir).open()
	got, err := clone.CommitsMentioning(context.Background(), []ID{head}, []string{"T01"})
	cut, bad := clone.HasShallowEnd(context.Background(), []ID{head})
	if err != nil || bad != nil || !cut || len(got) != 0 {
		t.Errorf("%v, %v, %v", got, cut, err)
	}
}

func TestRenames(t *testing.T) {
	s := newScratch(t)
	ctx := context.Background()
	text := "one\ntwo\nthree\nfour\nfive\n"
	before := s.commit("before", "old.py", text, "kept.py", text+"six\n")
	s.git("mv", "old.py", "new.py")
	r := s.open()
	after := s.commit("after", "new.py", text+"more\n")
	if got, err := r.Renames(ctx, before, after); err != nil || len(got) != 1 || got["new.py"] != "old.py" {
		t.Errorf("%v, %v", got, err)
	}
	later := s.commit("later", "copy.py", text)
	if got, err := r.Renames(ctx, after, later); err != nil || len(got) != 0 {
		t.Errorf("a copy is no rename: %v, %v", got, err)
	}
	if _, err := r.Renames(ctx, "x", after); err == nil || errors.Is(err, ErrNotFound) {
		t.Errorf("no id: %v", err)
	}
}
