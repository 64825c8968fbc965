package dashboard

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"

	"github.com/acta-git/acta/ledger"
	"github.com/acta-git/acta/repo"
)

// byRepository are the last eight days of each repository, or of each actor in the one that is named.
func (s *Server) byRepository(ctx context.Context, name string) ([]ledger.RepositoryDays, error) {
	out := []ledger.RepositoryDays{}
	scores := s.o.Scores
	if scores == nil {
		return out, nil
	}
	if store, ok := scores.Store.(ledger.ByRepository); ok {
		all, err := store.Repositories(ctx, ledger.Query{Now: scores.now(), Before: historyDays - 1}, name)
		return append(out, all...), err
	}
	var names []string
	if name != "" {
		names = []string{name}
	}
	repos, err := s.chosen(names)
	if err != nil {
		return nil, err
	}
	for _, one := range repos {
		b, err := s.scoresOf(ctx, []*Repository{one}, historyDays)
		if err != nil {
			return nil, err
		}
		parts := []ActorDays{{"", b.Total}}
		if name != "" {
			parts = b.Actors
		}
		for _, part := range parts {
			if days := claimed(lastDays(part.Days)); len(days) > 0 {
				out = append(out, ledger.RepositoryDays{Repository: one.Name, Actor: part.Actor, Days: days})
			}
		}
	}
	return out, nil
}

// claimed are the days on which something was claimed.
func claimed(days []Day) []ledger.RepositoryDay {
	var out []ledger.RepositoryDay
	for _, d := range days {
		if d.Verified+d.NotVerified+d.Unclear > 0 {
			out = append(out, ledger.RepositoryDay{
				Date: d.Date, Points: scoreOf(d), Verified: d.Verified, NotVerified: d.NotVerified, Unclear: d.Unclear,
				Contradictions: d.Contradictions,
			})
		}
	}
	return out
}

func (s *Server) repositories(r *http.Request) (any, error) {
	return s.byRepository(r.Context(), r.URL.Query().Get("repo"))
}

// repoRow is a repository of the list, with what its last eight days add up to.
type repoRow struct {
	Name, URL string
	ledger.RepositoryDay
}

// maxRepos bounds the list of repositories on the page.
const maxRepos = 50

// addRepositories adds the list, of those with most claims, where there is more than one repository.
func (s *Server) addRepositories(ctx context.Context, v *view) error {
	all, err := s.byRepository(ctx, "")
	if err != nil || len(all) < 2 {
		return err
	}
	for _, r := range all {
		row := repoRow{Name: r.Repository}
		if slices.Contains(v.Repos, r.Repository) {
			row.URL = pageURL(r.Repository, "")
		}
		for _, d := range r.Days {
			row.Points += d.Points
			row.Verified += d.Verified
			row.NotVerified += d.NotVerified
			row.Unclear += d.Unclear
		}
		v.ByRepo = append(v.ByRepo, row)
	}
	slices.SortStableFunc(v.ByRepo, func(a, b repoRow) int {
		return cmp.Compare(b.Verified+b.NotVerified+b.Unclear, a.Verified+a.NotVerified+a.Unclear)
	})
	if len(v.ByRepo) > maxRepos {
		v.ByRepo, v.MoreRepos = v.ByRepo[:maxRepos], len(v.ByRepo)-maxRepos
	}
	return nil
}

// pageURL is where the page shows one repository, one actor, or one in the other; "" is for all of them.
func pageURL(repository, actor string) string {
	q := url.Values{}
	if repository != "" {
		q.Set("repo", repository)
	}
	if actor != "" {
		q.Set("actor", actor)
	}
	return (&url.URL{Path: "/", RawQuery: q.Encode()}).String()
}

// forgeURL is where the forge of a remote shows a commit, "" where the address names no host. GitLab, Gitea and Forgejo
// take GitHub's form as well.
func forgeURL(remote, commit string) string {
	host, name := repo.SplitRemote(remote)
	if host == "" || name == "" {
		return ""
	}
	part := "commit"
	if host == "bitbucket.org" {
		part = "commits"
	}
	return (&url.URL{Scheme: "https", Host: host, Path: "/" + name + "/" + part + "/" + commit}).String()
}
