package dashboard

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/acta-git/acta/diag"
)

// metrics are what Prometheus is told. Every name begins with acta_.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	votes    *prometheus.CounterVec
	reported *prometheus.CounterVec
}

func newMetrics(s *Server) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "acta_http_requests_total", Help: "Requests answered, by route and status code.",
		}, []string{"route", "code"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "acta_http_request_duration_seconds", Help: "How long an answer took, by route.",
			Buckets: prometheus.DefBuckets,
		}, []string{"route"}),
		votes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "acta_feedback_total", Help: "Votes kept since the server started.",
		}, []string{"vote"}),
		reported: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "acta_reported_verdicts_total",
			Help: "Verdicts that `acta verify --report` told since the server started, those that were known included.",
		}, []string{"what"}),
	}
	m.registry.MustRegister(m.requests, m.seconds, m.votes, m.reported, &scoreMetrics{s})
	return m
}

// watched counts the answers of a route.
func (m *metrics) watched(route string, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		start, seen := time.Now(), &statusWriter{ResponseWriter: w, code: http.StatusOK}
		next(seen, r)
		m.requests.WithLabelValues(route, strconv.Itoa(seen.code)).Inc()
		m.seconds.WithLabelValues(route).Observe(time.Since(start).Seconds())
	}
}

// statusWriter remembers the status code.
type statusWriter struct {
	http.ResponseWriter
	code int
}

func (w *statusWriter) WriteHeader(code int) {
	w.code = code
	w.ResponseWriter.WriteHeader(code)
}

// Unwrap lets http.ResponseController find what it needs.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// scoreMetrics reads score and claims when Prometheus asks.
type scoreMetrics struct{ s *Server }

// Of today, by actor; those of all actors together bear actor="".
var (
	scoreDesc  = prometheus.NewDesc("acta_score", "Points of today.", []string{"actor"}, nil)
	targetDesc = prometheus.NewDesc("acta_score_target", "Target of today.", []string{"actor"}, nil)
	streakDesc = prometheus.NewDesc("acta_score_streak_days",
		"Days in a row before today that reached 70% of their target.", []string{"actor"}, nil)
	verdictDesc = prometheus.NewDesc("acta_verdicts", "Verdicts of today.", []string{"actor", "verdict"}, nil)
	claimDesc   = prometheus.NewDesc("acta_claims", "Verified claims of the history, by what has become of them.",
		[]string{"repo", "state"}, nil)
	pagesDesc = prometheus.NewDesc("acta_open_pages", "Pages that are kept up to date now.", nil, nil)
	buildDesc = prometheus.NewDesc("acta_build_info", "The release that judges.", []string{"release"}, nil)
)

// Describe names the metrics; see prometheus.Collector.
func (c *scoreMetrics) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{scoreDesc, targetDesc, streakDesc, verdictDesc, claimDesc, pagesDesc, buildDesc} {
		to <- d
	}
}

// Collect reads them; what cannot be read is left out, as Prometheus expects of what is not known.
func (c *scoreMetrics) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), makeTime)
	defer cancel()
	to <- prometheus.MustNewConstMetric(buildDesc, prometheus.GaugeValue, 1, diag.Release)
	to <- prometheus.MustNewConstMetric(pagesDesc, prometheus.GaugeValue, float64(c.s.broadcast.count()))
	if b, err := c.s.scores(ctx); err == nil {
		c.day(to, today("", b.Total))
		for _, a := range b.Actors {
			c.day(to, today(a.Actor, a.Days))
		}
	}
	for _, r := range c.s.o.Repos {
		report, err := r.readClaims(ctx)
		if err != nil {
			continue
		}
		states := map[string]float64{}
		for _, claim := range report.Claims {
			states[claim.State.String()]++
		}
		for state, n := range states {
			to <- prometheus.MustNewConstMetric(claimDesc, prometheus.GaugeValue, n, r.Name, state)
		}
	}
}

func (c *scoreMetrics) day(to chan<- prometheus.Metric, d Day) {
	gauge := func(desc *prometheus.Desc, v int, labels ...string) {
		to <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, float64(v), labels...)
	}
	if d.Score != nil {
		gauge(scoreDesc, *d.Score, d.Actor)
	}
	gauge(targetDesc, d.Target, d.Actor)
	gauge(streakDesc, d.Streak, d.Actor)
	gauge(verdictDesc, d.Verified, d.Actor, "verified")
	gauge(verdictDesc, d.NotVerified, d.Actor, "not_verified")
	gauge(verdictDesc, d.Unclear, d.Actor, "unclear")
	gauge(verdictDesc, d.Contradictions, d.Actor, "contradiction")
}
