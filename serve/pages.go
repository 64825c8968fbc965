package serve

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/record/ledger"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

//go:embed templates
var templateFiles embed.FS

// templates are the pages, parsed on first use; they are part of the program.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"words": func(s string) string { return strings.ReplaceAll(s, "_", " ") },
		"score": func(n *int) string {
			if n == nil {
				return "–"
			}
			return signedNumber(*n)
		},
		"signed": signedNumber,
		"plural": report.Plural,
		"short":  func(date string) string { return strings.TrimPrefix(date[min(len(date), 5):], "0") },
	}).ParseFS(templateFiles, "templates/*.html"))
})

func signedNumber(n int) string { return strings.Replace(fmt.Sprint(n), "-", "−", 1) }

// render writes a page whole or not at all.
func (s *Server) render(w http.ResponseWriter, code int, name string, data any) {
	var b bytes.Buffer
	if err := templates().ExecuteTemplate(&b, name, data); err != nil {
		writeError(w, err)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(code)
	_, _ = w.Write(withDirections(b.Bytes()))
}

func (s *Server) newView(r *http.Request, title string) view {
	return view{Title: title, Repos: s.names(), IsSignedIn: s.guard.isSignedIn(r)}
}

func (s *Server) getPage(w http.ResponseWriter, r *http.Request) {
	names := r.URL.Query()["repo"]
	repos, err := s.selectedRepos(names)
	if err != nil {
		s.writeErrorPage(w, r, err)
		return
	}
	v := s.newView(r, "Acta")
	if len(names) > 0 {
		v.SelectedRepo = repos[0].Name
	}
	v.Mark = mark(s.fingerprint()) // first, so that later changes trigger a reload
	s.fillView(r.Context(), &v, repos)
	s.render(w, http.StatusOK, "page", &v)
}

func (s *Server) fillView(ctx context.Context, v *view, repos []*Repository) {
	var all []repositoryData
	var notes []string
	var gathering sync.WaitGroup // runs while the score is read
	gathering.Go(func() { all, notes = gatherData(ctx, repos) })
	defer gathering.Wait()
	scores, err := s.scoresOf(ctx, repos)
	if err != nil {
		v.Notes = append(v.Notes, fmt.Sprintf("the score cannot be read: %v", err))
		v.ScoreUnread, scores = s.storeHint(), &Board{}
	}
	v.addScores(scores)
	if v.SelectedRepo == "" {
		if err := s.addRepositories(ctx, v); err != nil {
			v.Notes = append(v.Notes, fmt.Sprintf("the scores of the repositories cannot be read: %v", err))
		}
	}
	for _, one := range repos {
		_ = one.withRepo(ctx, func(git *repo.Repo) error { // errors are ignored
			notice, err := ledger.UnlandedNotice(ctx, git)
			if err == nil && notice != "" {
				v.Notes = append(v.Notes, fmt.Sprintf("%s: %s", one.Name, notice))
			}
			return err
		})
	}
	gathering.Wait()
	v.Notes = append(v.Notes, notes...)
	b := &builder{repos: all, now: time.Now(), links: serverLinks{len(s.options.Repos) > 1}}
	b.fill(v, maxEntries)
	if v.Pill.Score != nil {
		v.Title = fmt.Sprintf("%s · Acta", signedNumber(*v.Pill.Score))
	}
}

func (v *view) addScores(b *Board) {
	v.Pill, v.Board = pillOf(today(b.Total)), boardOf(b)
	// Days before the history are left out, but at least a week is drawn.
	first := slices.IndexFunc(b.Total, func(d Day) bool { return d.Score != nil })
	if first < 0 {
		return
	}
	for _, d := range b.Total[max(0, min(first, len(b.Total)-historyDays)):] {
		v.Days = append(v.Days, pillOf(d))
	}
}

func (s *Server) singleRepo(names []string) (*Repository, error) {
	if len(s.options.Repos) != 1 && len(names) != 1 {
		return nil, refusalf(http.StatusBadRequest, "name one: ?repo=", "several repositories are shown here")
	}
	repos, err := s.selectedRepos(names)
	if err != nil {
		return nil, err
	}
	return repos[0], nil
}

// Names of a commit: its id, or a simple branch or tag name with steps back: HEAD~2.
var (
	isCommit = regexp.MustCompile(`^[0-9a-f]{7,64}$`)
	isName   = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_./-]{0,200}([~^][0-9]{0,4}){0,8}$`)
)

type codePage interface {
	fill(ctx context.Context, s *Server, git *repo.Repo, one *Repository, c repo.Commit) error
}

func (s *Server) showPage(w http.ResponseWriter, r *http.Request, commit, name string, page codePage) {
	one, err := s.singleRepo(r.URL.Query()["repo"])
	if err == nil {
		err = s.withCommit(r.Context(), one, commit, func(ctx context.Context, git *repo.Repo, c repo.Commit) error {
			return page.fill(ctx, s, git, one, c)
		})
	}
	if err != nil {
		s.writeErrorPage(w, r, err)
		return
	}
	s.render(w, http.StatusOK, name, page)
}

func (s *Server) builderOf(one *Repository, report *judge.ClaimsReport) *builder {
	shown := []repositoryData{{Repository: one, claims: report}}
	b := &builder{repos: shown, links: serverLinks{len(s.options.Repos) > 1}}
	b.indexClaims()
	return b
}

// withCommit opens a repository for a page about a commit. Few run at once: each starts a git.
func (s *Server) withCommit(
	ctx context.Context, one *Repository, commit string, do func(context.Context, *repo.Repo, repo.Commit) error,
) error {
	if !isCommit.MatchString(commit) {
		return refusalf(http.StatusBadRequest, "it has 7 to 64 digits, 0 to 9 and a to f", "%q is no id of a commit", commit)
	}
	select {
	case s.readers <- struct{}{}:
		defer func() { <-s.readers }()
	case <-ctx.Done():
		return ctx.Err()
	}
	ctx, cancel := context.WithTimeout(ctx, writeTime/2)
	defer cancel()
	return one.withRepo(ctx, func(git *repo.Repo) error {
		c, err := git.Commit(ctx, commit)
		if repo.IsAbsent(err) {
			return refusalf(http.StatusNotFound, "", "there is no commit %s in %s", commit, one.Name)
		}
		if err != nil {
			return err
		}
		return do(ctx, git, c)
	})
}

// verdicts are those of a commit; one outside HEAD's recent history is judged now.
func (s *Server) verdicts(
	ctx context.Context, git *repo.Repo, one *Repository, commit string,
) ([]report.ClaimVerdict, error) {
	rec, err := one.readRecord(ctx)
	if err != nil {
		return nil, err
	}
	if all, ok := rec.verdicts[commit]; ok {
		return all, nil
	}
	h, err := judge.NewHistory(git, nil).RecordOf(ctx, commit)
	if err != nil {
		return nil, err
	}
	var all []report.ClaimVerdict
	for _, d := range h.Parts {
		all = append(all, d.Verdicts...)
	}
	return all, nil
}

func subjectAndBody(message []byte) (subject, body string) {
	subject, body, _ = strings.Cut(strings.TrimSpace(strings.ToValidUTF8(string(message), "\uFFFD")), "\n")
	return subject, strings.TrimSpace(body)
}

type commitPage struct {
	view
	Repo, ID, Subject, Body string
	Author, When            string
	Claims                  []unitClaims
	Files                   []string
	MoreFiles               int
}

type unitClaims struct {
	Unit   string
	Claims []claimLine
}

const maxFiles = 200

func (s *Server) getCommit(w http.ResponseWriter, r *http.Request) {
	s.showPage(w, r, r.PathValue("id"), "commit", &commitPage{view: s.newView(r, "Commit")})
}

func (p *commitPage) fill(
	ctx context.Context, s *Server, git *repo.Repo, one *Repository, c repo.Commit,
) error {
	message, _, err := git.MessageUTF8(ctx, c)
	if err != nil {
		return err
	}
	p.Repo, p.ID = one.Name, string(c.ID)
	p.Subject, p.Body = subjectAndBody(message)
	p.Title = p.Subject
	p.Author, p.When = c.Author.Name, c.Author.When.UTC().Format("2006-01-02 15:04 UTC")
	all, err := s.verdicts(ctx, git, one, string(c.ID))
	if err != nil {
		return err
	}
	report, err := one.readClaims(ctx)
	if err != nil {
		report = &judge.ClaimsReport{} // shown without states
	}
	b := s.builderOf(one, report)
	for _, v := range all {
		if len(p.Claims) == 0 || p.Claims[len(p.Claims)-1].Unit != v.Unit {
			p.Claims = append(p.Claims, unitClaims{Unit: v.Unit})
		}
		last := &p.Claims[len(p.Claims)-1]
		last.Claims = append(last.Claims, b.line(one, string(c.ID), v))
	}
	p.Files, _ = judge.FilesOf(ctx, git, c) // errors are not shown
	if len(p.Files) > maxFiles {
		p.Files, p.MoreFiles = p.Files[:maxFiles], len(p.Files)-maxFiles
	}
	return nil
}

type errorPage struct {
	view
	Message, Hint string
}

func (s *Server) writeErrorPage(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, context.Canceled) {
		return
	}
	code, page := http.StatusInternalServerError, errorPage{view: s.newView(r, "Acta"), Message: err.Error()}
	if e, ok := errors.AsType[*problem](err); ok {
		code, page.Message, page.Hint = e.code, e.Message, e.Hint
	}
	s.render(w, code, "sorry", &page)
}

type signInPage struct {
	view
	IsWrong bool
}

func (s *Server) getSignIn(w http.ResponseWriter, r *http.Request) {
	s.render(w, http.StatusOK, "signin", &signInPage{view: s.newView(r, "Sign in · Acta")})
}

func (s *Server) postSignIn(w http.ResponseWriter, r *http.Request) {
	if !s.guard.isToken(strings.TrimSpace(r.PostFormValue("token"))) {
		s.render(w, http.StatusUnauthorized, "signin", &signInPage{view: s.newView(r, "Sign in · Acta"), IsWrong: true})
		return
	}
	s.guard.signIn(w)
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// postFeedbackForm is a vote by a browser without scripts.
func (s *Server) postFeedbackForm(w http.ResponseWriter, r *http.Request) {
	f := feedback{Vote: r.PostFormValue("vote"), Actor: r.PostFormValue("actor"), Commit: r.PostFormValue("commit")}
	if _, err := s.vote(r, f); err != nil {
		s.writeErrorPage(w, r, err)
		return
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// uPlot 1.6.32 draws the chart, unchanged from npm, with its licence.
//
//go:embed assets
var assetFiles embed.FS

func mark(data string) string {
	sum := sha256.Sum256([]byte(data))
	return hex.EncodeToString(sum[:8])
}

func (s *Server) getAsset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	data, err := assetFiles.ReadFile(path.Join("assets", name))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Cache-Control", "no-cache") // revalidated each time
	w.Header().Set("ETag", `"`+mark(string(data))+`"`)
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(data))
}
