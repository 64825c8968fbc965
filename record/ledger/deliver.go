package ledger

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/acta-git/acta/report"
)

// ReportsPath is where a ledger takes reports.
const ReportsPath = "/api/reports"

// What one request brings at most, in bytes: as it is sent, and what it says. A ledger refuses more.
const (
	MaxReportBody = 64 << 10
	MaxReportText = 4 << 20
)

// A report shorter than this is sent as it is, in bytes, so that whatever reads JSON can take it; what a sender fits a
// part into, below what a ledger takes.
const (
	gzipFrom     = 1 << 20
	maxPartBody  = MaxReportBody - 4<<10
	maxPartText  = MaxReportText / 2
	maxErrorText = 4 << 10
)

// Delivery sends reports to a ledger.
type Delivery struct {
	// URL is that of the ledger; one with a path is where reports are taken.
	URL string
	// Token is what the ledger knows the sender by; "" for none.
	Token string
	// Within bounds how long sending a whole report may take, pauses between attempts included.
	Within time.Duration
	// Transport makes the requests; nil is the default, with the proxy of the environment.
	Transport http.RoundTripper
}

// Of the attempts at sending one part: how long one may take, and the pauses between them.
const (
	attemptTime = 5 * time.Second
	firstPause  = 250 * time.Millisecond
	maxPause    = 4 * time.Second
)

// Validate reports an URL that nothing can be sent to.
func (d *Delivery) Validate() error {
	_, err := d.target()
	return err
}

func (d *Delivery) target() (*url.URL, error) {
	u, err := url.Parse(d.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("%q is no address of a ledger; it is one as in https://ledger.example", d.URL)
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = ReportsPath
	}
	return u, nil
}

// Send sends a report, in as many parts as it takes. A part that fails in a way that may pass is sent again: to send
// one twice does no harm. Nothing follows a redirect, so that no other host is told the token.
func (d *Delivery) Send(ctx context.Context, r *Report) (Received, error) {
	target, err := d.target()
	if err != nil {
		return Received{}, err
	}
	parts, err := partsOf(r)
	if err != nil {
		return Received{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, d.Within)
	defer cancel()
	client := &http.Client{Transport: d.Transport, CheckRedirect: stay}
	var all Received
	for i, p := range parts {
		got, err := d.sendPart(ctx, client, target, p)
		if err != nil {
			if len(parts) > 1 {
				err = fmt.Errorf("part %d of %d: %w", i+1, len(parts), err)
			}
			return all, fmt.Errorf("%s did not take the report: %w", target.Redacted(), err)
		}
		all.Verdicts, all.New = all.Verdicts+got.Verdicts, all.New+got.New
	}
	return all, nil
}

// stay follows no redirect.
func stay(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// sendPart tries until the part is taken, refused for good, or the time is over.
func (d *Delivery) sendPart(ctx context.Context, client *http.Client, target *url.URL, p part) (Received, error) {
	pauses := backoff.NewExponentialBackOff()
	pauses.InitialInterval, pauses.MaxInterval = firstPause, maxPause
	tries := 0
	var last error
	got, err := backoff.Retry(ctx, func() (out Received, err error) {
		tries++
		out, err = d.attempt(ctx, client, target, p)
		if ctx.Err() == nil || last == nil {
			last = err
		}
		return out, err
	}, backoff.WithBackOff(pauses), backoff.WithMaxElapsedTime(d.Within))
	if err == nil {
		return got, nil
	}
	if tries > 1 {
		return got, fmt.Errorf("%w (after %d attempts)", last, tries)
	}
	return got, last
}

// attempt sends a part once.
func (d *Delivery) attempt(
	ctx context.Context, client *http.Client, target *url.URL, p part,
) (out Received, err error) {
	ctx, cancel := context.WithTimeout(ctx, attemptTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, target.String(), bytes.NewReader(p.body))
	if err != nil {
		return out, backoff.Permanent(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "acta")
	if p.zipped {
		req.Header.Set("Content-Encoding", "gzip")
	}
	if d.Token != "" {
		req.Header.Set("Authorization", "Bearer "+d.Token)
	}
	resp, err := client.Do(req)
	if err != nil {
		if about, ok := errors.AsType[*url.Error](err); ok {
			err = about.Err // without the address, which may hold a password
		}
		return out, err
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxErrorText))
	if resp.StatusCode/100 == 2 {
		if unread := json.Unmarshal(text, &out); unread != nil || out.Verdicts != p.verdicts { // a proxy's page, for one
			return Received{}, backoff.Permanent(fmt.Errorf("it answered %s, and not that it took %d verdicts, as a ledger "+
				"does; is the address right", resp.Status, p.verdicts))
		}
		return out, nil
	}
	return out, refusal(resp, text, err)
}

// refusal is what an answer says that is none. It is permanent unless the same may be taken later.
func refusal(resp *http.Response, text []byte, unread error) error {
	var said struct{ Error, Hint string }
	_ = json.Unmarshal(text, &said)
	err := fmt.Errorf("it answered %s", resp.Status)
	if said.Error != "" {
		err = fmt.Errorf("%w: %s", err, report.OneLine(said.Error))
		if said.Hint != "" {
			err = fmt.Errorf("%w; %s", err, report.OneLine(said.Hint))
		}
	}
	if unread != nil {
		return err
	}
	switch resp.StatusCode {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusRequestTimeout,
		http.StatusInternalServerError, http.StatusBadGateway, http.StatusGatewayTimeout:
		return err
	case http.StatusUnauthorized:
		err = fmt.Errorf("%w; the token is read from ACTA_TOKEN or --report-token-file", err)
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect,
		http.StatusPermanentRedirect:
		err = fmt.Errorf("%w, to %.200q; no redirect is followed: give the address that it leads to", err,
			resp.Header.Get("Location"))
	}
	return backoff.Permanent(err)
}

// part is one request's body.
type part struct {
	body   []byte
	zipped bool
	// verdicts is how many it holds.
	verdicts int
}

// partsOf cuts a report into requests that a ledger takes.
func partsOf(r *Report) ([]part, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	return split(r, text, len(text) >= gzipFrom)
}

// split cuts a report, which as JSON is text, in halves until each can be sent. A verdict that is too long as it is
// goes zipped.
func split(r *Report, text []byte, zipped bool) ([]part, error) {
	single := len(r.Verdicts)+len(r.Feedback) < 2
	p, err := bodyOf(text, zipped || single && len(text) > maxPartBody)
	if err != nil {
		return nil, err
	}
	p.verdicts = len(r.Verdicts)
	if len(p.body) <= maxPartBody && len(text) <= maxPartText {
		return []part{p}, nil
	}
	if single {
		return nil, fmt.Errorf("a verdict is too long to be reported: %d bytes", len(p.body))
	}
	first, then := *r, *r
	first.Verdicts, then.Verdicts = r.Verdicts[:len(r.Verdicts)/2], r.Verdicts[len(r.Verdicts)/2:]
	first.Feedback, then.Feedback = r.Feedback[:(len(r.Feedback)+1)/2], r.Feedback[(len(r.Feedback)+1)/2:]
	var parts []part
	for _, half := range []*Report{&first, &then} {
		if text, err = json.Marshal(half); err != nil {
			return nil, err
		}
		more, err := split(half, text, zipped)
		if err != nil {
			return nil, err
		}
		parts = append(parts, more...)
	}
	return parts, nil
}

func bodyOf(text []byte, zipped bool) (part, error) {
	if !zipped {
		return part{body: text}, nil
	}
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write(text)
	err = errors.Join(err, w.Close())
	return part{body: out.Bytes(), zipped: true}, err
}
