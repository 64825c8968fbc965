package ledger

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/acta-git/acta/report"
)

// peer answers requests without a network, so that time can stand still.
type peer func(r *http.Request) (code int, header, body string, err error)

func (p peer) RoundTrip(r *http.Request) (*http.Response, error) {
	code, header, body, err := p(r)
	if err != nil {
		return nil, err
	}
	resp := &http.Response{StatusCode: code, Status: fmt.Sprint(code, " ", http.StatusText(code)), Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), Request: r}
	if name, value, ok := strings.Cut(header, ": "); ok {
		resp.Header.Set(name, value)
	}
	return resp, nil
}

func someReport(verdicts int) *Report {
	r := &Report{Release: "0.1.0", Repository: "acme/shop", Commit: strings.Repeat("a", 40), PolicyHash: "builtin", IsLanded: true, Zone: "UTC"}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range verdicts {
		r.Verdicts = append(r.Verdicts, ReportedVerdict{
			Row: Row{Commit: fmt.Sprintf("%040x", i), Time: noon, Actor: "executor-01", Item: fmt.Sprint("Add item ", i), Verdict: report.Verified,
				Keys: []string{fmt.Sprintf("%016x", random.Uint64()), fmt.Sprintf("%016x", random.Uint64())}},
			Day: "2026-01-26",
		})
	}
	return r
}

// How a ledger that is not well is met. The time is that of the test alone.
func TestDeliveryTriesAgainAndGivesUp(t *testing.T) {
	down := errors.New("connection refused")
	for name, c := range map[string]struct {
		answers     []int // the last one stays; 0 is no connection, -1 silence
		header      string
		tries       int // at least; 1 is exactly one
		least, most time.Duration
		fails       string
	}{
		"well":                 {[]int{200}, "", 1, 0, 0, ""},
		"created":              {[]int{201}, "", 1, 0, 0, ""},
		"busy once":            {[]int{503, 200}, "", 2, 100 * time.Millisecond, time.Second, ""},
		"not reached at first": {[]int{0, 0, 200}, "", 3, 200 * time.Millisecond, 3 * time.Second, ""},
		"too many":             {[]int{429, 200}, "", 2, 100 * time.Millisecond, time.Second, ""},
		"dead":                 {[]int{0}, "", 4, 8 * time.Second, 15 * time.Second, "connection refused"},
		"broken":               {[]int{500}, "", 4, 8 * time.Second, 15 * time.Second, "500"},
		"silent":               {[]int{-1}, "", 2, 10 * time.Second, 15 * time.Second, "deadline exceeded"},
		"no token":             {[]int{401}, "", 1, 0, 0, "ACTA_TOKEN"},
		"no such place":        {[]int{404}, "", 1, 0, 0, "404"},
		"moved":                {[]int{307}, "Location: https://elsewhere.example/", 1, 0, 0, "redirects are not followed"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tries := 0
				d := &Delivery{URL: "https://ledger.example", Token: "secret", Timeout: 15 * time.Second, Transport: peer(func(r *http.Request) (int, string, string, error) {
					code := c.answers[min(tries, len(c.answers)-1)]
					tries++
					if r.URL.String() != "https://ledger.example/api/reports" || r.Header.Get("Authorization") != "Bearer secret" {
						t.Errorf("%s with %q", r.URL, r.Header)
					}
					switch code {
					case 0:
						return 0, "", "", down
					case -1:
						<-r.Context().Done()
						return 0, "", "", r.Context().Err()
					}
					return code, c.header, `{"verdicts": 1, "new": 1}`, nil
				})}
				start := time.Now()
				got, err := d.Send(t.Context(), someReport(1))
				took := time.Since(start)
				if took < c.least || took > c.most {
					t.Errorf("it took %s", took)
				}
				if tries < c.tries || c.tries == 1 && tries != 1 {
					t.Errorf("%d attempts", tries)
				}
				switch {
				case c.fails == "" && (err != nil || got != (Received{1, 1})):
					t.Errorf("%v, %+v", err, got)
				case c.fails != "" && (err == nil || !strings.Contains(err.Error(), c.fails)):
					t.Errorf("%v", err)
				}
			})
		})
	}
}

func TestWhatTheLedgerSaysIsPassedOn(t *testing.T) {
	d := &Delivery{URL: "https://u:hunter2@ledger.example/acta/take", Timeout: time.Second, Transport: peer(func(r *http.Request) (int, string, string, error) {
		if r.URL.Path != "/acta/take" {
			t.Errorf("%s", r.URL)
		}
		return 400, "", `{"error": "a report names its repository", "hint": "name\nit"}`, nil
	})}
	_, err := d.Send(context.Background(), someReport(1))
	if err == nil || !strings.Contains(err.Error(), "a report names its repository; name\\nit") || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("%v", err)
	}
	for _, no := range []string{
		"\n<!DOCTYPE html><title>Sign in</title>", "", "ok", "[]", "{}", `{"error": "no"}`, `{"verdicts": 2, "new": 2}`, `{"verdicts": -1}`,
	} {
		d.Transport = peer(func(*http.Request) (int, string, string, error) { return 200, "", no, nil })
		if got, err := d.Send(context.Background(), someReport(1)); err == nil || !strings.Contains(err.Error(), "did not confirm 1 verdict") {
			t.Errorf("%q took it: %+v, %v", no, got, err)
		}
	}
	for _, bad := range []string{"", "ledger.example", "ftp://ledger.example", "https://", "http://[::1"} {
		if err := (&Delivery{URL: bad}).Validate(); err == nil {
			t.Errorf("%q is an address", bad)
		}
	}
}

// A long report comes in parts that are short enough, each a report by itself, and together it. It is zipped from 1 MiB on, no earlier.
func TestALongReportComesInParts(t *testing.T) {
	for name, c := range map[string]struct {
		verdicts int
		zipped   bool
		least    int // parts
		most     int
	}{"short": {50, false, 1, 1}, "long": {500, false, 2, 20}, "1 MiB": {5000, true, 3, 20}} {
		whole := someReport(c.verdicts)
		whole.Feedback = []Vote{{ID: "1", Word: Up, At: noon, Actor: "executor-01"}, {ID: "2", Word: Up, At: noon, Actor: "executor-01"}}
		if text, err := json.Marshal(whole); err != nil || (len(text) >= 1<<20) != c.zipped {
			t.Fatalf("%s: %d bytes: %v", name, len(text), err)
		}
		joined := *whole
		joined.Verdicts, joined.Feedback = nil, nil
		parts := 0
		d := &Delivery{URL: "http://ledger.example", Timeout: 15 * time.Second, Transport: peer(func(r *http.Request) (int, string, string, error) {
			parts++
			if zipped := r.Header.Get("Content-Encoding") == "gzip"; zipped != c.zipped {
				t.Errorf("%s: a part of %d bytes is zipped: %v", name, r.ContentLength, zipped)
			}
			one := readPart(t, r)
			joined.Verdicts, joined.Feedback = append(joined.Verdicts, one.Verdicts...), append(joined.Feedback, one.Feedback...)
			return 200, "", fmt.Sprintf(`{"verdicts": %d, "new": 1}`, len(one.Verdicts)), nil
		})}
		got, err := d.Send(context.Background(), whole)
		if err != nil || got.Verdicts != c.verdicts || got.New != parts || parts < c.least || parts > c.most {
			t.Errorf("%s: %+v in %d parts: %v", name, got, parts, err)
		}
		if !reflect.DeepEqual(&joined, whole) {
			t.Errorf("%s: the parts are not the whole", name)
		}
	}
}

// readPart reads what a ledger is sent.
func readPart(t *testing.T, r *http.Request) *Report {
	t.Helper()
	body, err := io.ReadAll(r.Body)
	if err != nil || len(body) > MaxReportBody || r.ContentLength != int64(len(body)) {
		t.Errorf("%d bytes: %v", len(body), err)
	}
	if r.Header.Get("Content-Encoding") == "gzip" {
		z, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if body, err = io.ReadAll(z); err != nil || len(body) > MaxReportText {
			t.Fatalf("%d bytes: %v", len(body), err)
		}
	}
	var one Report
	if err := json.Unmarshal(body, &one); err != nil {
		t.Fatal(err)
	}
	if err := one.Validate(); err != nil {
		t.Error(err)
	}
	return &one
}

// A verdict that is long by itself goes zipped, as far as a ledger takes it.
func TestALongVerdict(t *testing.T) {
	sent := 0
	d := &Delivery{URL: "http://ledger.example", Timeout: 15 * time.Second, Transport: peer(func(r *http.Request) (int, string, string, error) {
		n := len(readPart(t, r).Verdicts)
		sent += n
		return 200, "", fmt.Sprintf(`{"verdicts": %d}`, n), nil
	})}
	long := someReport(3)
	long.Verdicts[1].Keys = nil
	for i := range maxKeys {
		long.Verdicts[1].Keys = append(long.Verdicts[1].Keys, fmt.Sprintf("%064x", i%100))
	}
	if _, err := d.Send(context.Background(), long); err != nil || sent != 3 {
		t.Errorf("%d verdicts were sent: %v", sent, err)
	}
	long = someReport(1)
	for i := range 100_000 {
		long.Verdicts[0].Keys = append(long.Verdicts[0].Keys, fmt.Sprintf("%016x", i*7919*104729))
	}
	if _, err := d.Send(context.Background(), long); err == nil {
		t.Error("a verdict that no ledger takes was sent")
	}
}
