package main

import (
	"encoding/json"
	"testing"

	"github.com/acta-git/acta/judge/attest"
)

// What is signed of a range with findings, and of one without, fits the published schema.
func TestTheSignedClaimsFitTheirSchema(t *testing.T) {
	v, schema := settledHistory(t), published(t, "attest-claims")
	for _, commits := range []string{"HEAD~3..HEAD", "HEAD", "HEAD~1..HEAD"} {
		out, errs, code := v.run("", v.acta, "attest", commits, "--signer", "cat >/dev/null; echo signed")
		if code > exitFindings {
			t.Fatalf("%s: %s", commits, errs)
		}
		all := attest.Envelopes([]byte(out))
		if len(all) != 2 {
			t.Fatalf("%s: %d envelopes\n%s%s", commits, len(all), out, errs)
		}
		var statement struct{ Predicate any }
		if err := json.Unmarshal(all[0].Payload, &statement); err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(statement.Predicate); err != nil {
			t.Errorf("%s: %v\n%s", commits, err, all[0].Payload)
		}
	}
}
