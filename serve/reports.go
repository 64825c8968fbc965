package serve

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"

	"github.com/acta-git/acta/record/ledger"
)

func (s *Server) report(r *http.Request) (any, error) {
	report, err := readReport(r)
	if err != nil {
		return nil, err
	}
	if err := report.Validate(); err != nil {
		return nil, refusalf(http.StatusBadRequest, "send it with `acta verify --report` of this release", "%v", err)
	}
	got, err := s.receive(r.Context(), report)
	if err != nil {
		return nil, err
	}
	if got.New > 0 {
		s.broadcast.notify("report")
	}
	return got, nil
}

// receive stores a report, even if the client goes away.
func (s *Server) receive(ctx context.Context, report *ledger.Report) (ledger.Received, error) {
	if shared := s.options.Scores.Shared; shared != nil {
		return shared.Receive(context.WithoutCancel(ctx), report)
	}
	// The repositories themselves are the store: their results are replayed from there.
	if at, _ := s.find(ctx, report.Commit); at >= 0 {
		return ledger.Received{Verdicts: len(report.Verdicts)}, nil
	}
	return ledger.Received{}, refusalf(http.StatusConflict,
		"start the server with --db, or serve that repository and fetch into it",
		"no repository that is served here holds commit %s", report.Commit)
}

// readReport reads a body that may be compressed. Unknown keys are ignored: they may come from a later release.
func readReport(r *http.Request) (*ledger.Report, error) {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		return nil, refusalf(http.StatusUnsupportedMediaType, "send Content-Type: application/json", "the body is not JSON")
	}
	var body io.Reader = r.Body
	switch encoding := r.Header.Get("Content-Encoding"); encoding {
	case "":
	case "gzip":
		zipped, err := gzip.NewReader(r.Body)
		if err != nil {
			return nil, bodyError(err)
		}
		body = zipped
	default:
		return nil, refusalf(http.StatusUnsupportedMediaType, "compress it with gzip, or send it uncompressed",
			"the body is encoded as %.40q", encoding)
	}
	text, err := io.ReadAll(io.LimitReader(body, ledger.MaxReportText+1))
	if err != nil {
		return nil, bodyError(err)
	}
	if len(text) > ledger.MaxReportText {
		return nil, refusalf(http.StatusRequestEntityTooLarge, "send it in parts", "the report is longer than 4 MiB")
	}
	var report ledger.Report
	if err := json.Unmarshal(text, &report); err != nil {
		return nil, bodyError(err)
	}
	return &report, nil
}

func bodyError(err error) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return refusalf(http.StatusRequestEntityTooLarge, "send it in parts", "the body is longer than 64 KiB")
	}
	return refusalf(http.StatusBadRequest, "send it with `acta verify --report`", "the body cannot be read: %v", err)
}
