package serve

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"

	"github.com/acta-git/acta/record/ledger"
)

// byRepository are the last eight days of each repository.
func (s *Server) byRepository(ctx context.Context) ([]ledger.RepositoryDays, error) {
	out := []ledger.RepositoryDays{}
	scores := s.o.Scores
	if scores == nil {
		return out, nil
	}
	if store, ok := scores.Store.(ledger.ByRepository); ok {
		all, err := store.Repositories(ctx, ledger.Query{Now: scores.now(), Before: historyDays - 1})
		return append(out, all...), err
	}
	for _, one := range s.o.Repos {
		b, err := s.scoresOf(ctx, []*Repository{one})
		if err != nil {
			return nil, err
		}
		if days := claimed(lastDays(b.Total)); len(days) > 0 {
			out = append(out, ledger.RepositoryDays{Repository: one.Name, Days: days})
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
	return s.byRepository(r.Context())
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
	all, err := s.byRepository(ctx)
	if err != nil || len(all) < 2 {
		return err
	}
	for _, r := range all {
		row := repoRow{Name: r.Repository}
		if slices.Contains(v.Repos, r.Repository) {
			row.URL = pageURL(r.Repository)
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

// pageURL is where the page shows one repository.
func pageURL(repository string) string { return "/?" + url.Values{"repo": {repository}}.Encode() }
