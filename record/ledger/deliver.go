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
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/acta-git/acta/repo/state"
	"github.com/acta-git/acta/report"
)

// ReportsPath is where a ledger receives reports.
const ReportsPath = "/api/reports"

// The most bytes of one request, as sent and uncompressed. A ledger refuses more.
const (
	MaxReportBody = 64 << 10
	MaxReportText = 4 << 20
)

// A report shorter than gzipFrom is sent uncompressed, for any JSON reader. Parts stay below a ledger's limits.
const (
	gzipFrom     = 1 << 20
	maxPartBody  = MaxReportBody - 4<<10
	maxPartText  = MaxReportText / 2
	maxErrorText = 4 << 10
)

// Delivery sends reports to a ledger.
type Delivery struct {
	// URL is the ledger's; a path in it is where reports are received.
	URL string
	// Token identifies the sender to the ledger; "" for none.
	Token string
	// Timeout bounds the sending of a whole report, pauses between attempts included.
	Timeout time.Duration
	// Transport makes the requests; nil is the default, with the environment's proxy.
	Transport http.RoundTripper
}

// ReadToken reads a token from a file that holds nothing else.
func ReadToken(file string) (string, error) {
	data, err := state.ReadFile(file)
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(data))
	if token == "" {
		return "", fmt.Errorf("%s holds no token", file)
	}
	return token, nil
}

// The time of one attempt to send a part, and the pauses between attempts.
const (
	attemptTime = 5 * time.Second
	firstPause  = 250 * time.Millisecond
	maxPause    = 4 * time.Second
)

// Validate reports an unusable URL.
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

// Send sends a report, in parts if necessary. A part that may succeed later is sent again: sending one twice does no
// harm. Redirects are not followed, so that no other host gets the token.
func (d *Delivery) Send(ctx context.Context, r *Report) (Received, error) {
	target, err := d.target()
	if err != nil {
		return Received{}, err
	}
	parts, err := split(r, false)
	if err != nil {
		return Received{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, d.Timeout)
	defer cancel()
	noRedirect := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	client := &http.Client{Transport: d.Transport, CheckRedirect: noRedirect}
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

// sendPart tries until the part is accepted, refused for good, or the time is over.
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
	}, backoff.WithBackOff(pauses), backoff.WithMaxElapsedTime(d.Timeout))
	if err == nil {
		return got, nil
	}
	if tries > 1 {
		return got, fmt.Errorf("%w (after %d attempts)", last, tries)
	}
	return got, last
}

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
	if p.isZipped {
		req.Header.Set("Content-Encoding", "gzip")
	}
	if d.Token != "" {
		req.Header.Set("Authorization", "Bearer "+d.Token)
	}
	resp, err := client.Do(req)
	if err != nil {
		if urlErr, ok := errors.AsType[*url.Error](err); ok {
			err = urlErr.Err // without the address, which may contain a password
		}
		return out, err
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxErrorText))
	if resp.StatusCode/100 == 2 {
		if unread := json.Unmarshal(text, &out); unread != nil || out.Verdicts != p.verdicts { // a proxy's page, say
			return Received{}, backoff.Permanent(fmt.Errorf("it answered %s, but did not confirm %d verdicts as a ledger "+
				"does; check the address", resp.Status, p.verdicts))
		}
		return out, nil
	}
	return out, answerError(resp, text, err)
}

// answerError is the error of an answer. It is permanent unless the same part may be accepted later.
func answerError(resp *http.Response, text []byte, unread error) error {
	var answer struct{ Error, Hint string }
	_ = json.Unmarshal(text, &answer)
	err := fmt.Errorf("it answered %s", resp.Status)
	if answer.Error != "" {
		err = fmt.Errorf("%w: %s", err, report.OneLine(answer.Error))
		if answer.Hint != "" {
			err = fmt.Errorf("%w; %s", err, report.OneLine(answer.Hint))
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
		err = fmt.Errorf("%w, to %.200q; redirects are not followed: use the address to which it leads", err,
			resp.Header.Get("Location"))
	}
	return backoff.Permanent(err)
}

type part struct {
	body     []byte
	isZipped bool
	verdicts int
}

// split halves a report until each part can be sent. A single long verdict is compressed, and so is a long report.
func split(r *Report, isZipped bool) ([]part, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	isZipped = isZipped || len(text) >= gzipFrom
	single := len(r.Verdicts)+len(r.Feedback) < 2
	p := bodyOf(text, isZipped || single && len(text) > maxPartBody)
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
		more, err := split(half, isZipped)
		if err != nil {
			return nil, err
		}
		parts = append(parts, more...)
	}
	return parts, nil
}

func bodyOf(text []byte, isZipped bool) part {
	if !isZipped {
		return part{body: text}
	}
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(text) // a buffer takes everything
	_ = w.Close()
	return part{body: out.Bytes(), isZipped: true}
}
