package worklog

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/acta-git/acta/judge/policy"
)

// secret joins what must not stand in one piece in this file: scanners of repositories would take it for a leak.
func secret(parts ...string) string { return strings.Join(parts, "") }

func TestSecretsAreMasked(t *testing.T) {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	hex := strings.Repeat("0123456789abcdef", 4)
	for _, c := range []struct{ kind, before, secret, after string }{
		{"private key", "cat key\n", secret("-----BEGIN OPENSSH PRIV", "ATE KEY-----\nabc\ndef\n-----END OPENSSH PRIVATE KEY-----"), "\ndone"},
		{"private key", "torn ", secret("-----BEGIN RSA PRIV", "ATE KEY-----\nabc\n"), ""},
		{"age key", "", secret("AGE-SECRET-", "KEY-1QQPQRSTUVWXYZ234567890QQ"), ""},
		{"GitHub token", "gh auth ", secret("gh", "p_", letters[:36]), " ok"},
		{"GitHub token", "", secret("github", "_pat_", letters[:40]), ""},
		{"GitLab token", "", secret("gl", "pat-", letters[:20]), ""},
		{"AWS key", "", secret("AK", "IAIOSFODNN7EXAMPLE"), ""},
		{"Google key", "", secret("AI", "za", letters[:35]), ""},
		{"Slack token", "", secret("xo", "xb-123456789012-", letters[:20]), ""},
		{"Slack token", secret("https://hooks.", "slack.com/services/"), "T0000/B0000/" + letters[:20], " sent"},
		{"API key", "", secret("s", "k-ant-api03-", letters[:40]), ""},
		{"Stripe key", "", secret("sk", "_live_", letters[:24]), ""},
		{"package registry token", "", secret("np", "m_", letters[:36]), ""},
		{"package registry token", "", secret("py", "pi-AgEI", letters), ""},
		{"service token", "", secret("h", "f_", letters[:34]), ""},
		{"service token", "", secret("S", "G.", letters[:22], ".", letters[:43]), ""},
		{"service token", "", secret("dop", "_v1_", hex), ""},
		{"service token", "", secret("dapi", hex[:32]), ""},
		{"JSON web token", "", secret("ey", "JhbGciOiJIUzI1NiJ9.", "eyJzdWIiOiIxIn0.c2ln"), ""},
		{"password", "psql postgres://app:", "h:unter2", "@db/x"},
		{"token", "git clone https://", letters[:20], "@example.com/r"},
		{"credentials", `curl -H "Authorization: Bearer `, "abc.def-123", `" https://example.com`},
		{"credentials", "X-API-Key: ", "k123456", "\n"},
		{"credentials", `-H 'Cookie: `, "sid=abcdef; other=ghijkl", "' x"},
		{"GitHub token", "Authorization: token ", secret("gh", "s_", letters[:36]), ""}, // the surest kind
		{"token", "sent Bearer ", letters[:20] + "==", " there"},
		{"password", "curl -s -u app:", "hunter2", " https://example.com"},
		{"password", "sshpass -p ", "hunter2", " ssh x"},
		{"secret", "tool --password ", "hunter2", " --verbose"},
		{"secret", "tool --api-key=", "abcd1234", ""},
		{"secret", "DB_PWD=", "hunter2", " run"},
		{"secret", "export DB_PASSWORD=", "hunter2", "; run"},
		{"secret", "aws_secret_access_key = ", secret("wJalrXUtnFEMI/K7MDENG/", "bPxRfiCYEXAMPLEKEY"), ""},
		{"secret", `{"clientSecret": `, `"abc def ghi"`, "}"},
		{"secret", "token: ", "a1b2c3d4", "\n"},
		{"secret", "AccountKey=", "Zm9v1234==", ";x"},
	} {
		want := c.before + "[masked-" + strings.ReplaceAll(c.kind, " ", "-") + "]" + c.after
		got := Mask(c.before + c.secret + c.after)
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if again := Mask(got); again != got {
			t.Errorf("%q is masked again: %q", got, again)
		}
	}
}

func TestWhatIsNoSecretStays(t *testing.T) {
	for _, text := range []string{
		"pytest -q tests/test_token.py", "go test -run TestPassword ./auth", "add login() to src/auth.py", "token: string", "password: the one that was given",
		"export TOKEN=$OTHER", "PASSWORD=${PASSWORD}", `--token "$TOKEN"`, "--token <token>", "max_tokens=4096", "tokens: 12345", "tokenizer=bert-base", "total_tokens: 123456",
		"git clone https://example.com/r.git", "http://localhost:8080/a@b", "git@example.com:a/b.git", "commit 0123456789abcdef0123456789abcdef01234567", "sk-learn", "task-1234",
		"PWD=/home/a make", "OLDPWD=/home/b", "keyboard=qwerty", "passed=12345", "npm_config_cache=/tmp", "curl -u \"$USER\" https://example.com", "secret santa", "primary_key=id_1", "curl https://example.com/a:b", "key: value1",
	} {
		if got := Mask(text); got != text {
			t.Errorf("%q is masked: %q", text, got)
		}
	}
}

func TestResultsAreKeptWhereTheLogIsVerbose(t *testing.T) {
	token := secret("gh", "p_", strings.Repeat("a1", 18))
	o := Operation{Time: FormatTime(when), Action: Bash, Status: Completed, Context: "pytest --token " + token, Details: Details{Result: "a" + token + " " + token, StatusChanges: []StatusChange{{Todo: token}}}}
	for _, verbose := range []bool{false, true} {
		r := &Recorder{LocalSession: &LocalSession{}, Switches: policy.Switches{VerboseLog: verbose}}
		got := r.maskOperation(o)
		if strings.Contains(got.Context+got.Details.StatusChanges[0].Todo, token) || o.Details.StatusChanges[0].Todo != token {
			t.Errorf("got %+v", got)
		}
		if want := map[bool]string{true: "a" + token + " [masked-GitHub-token]"}[verbose]; got.Details.Result != want {
			t.Errorf("verbose %v: got %q", verbose, got.Details.Result)
		}
	}
	// What is long is cut between characters, and no secret is cut so that it shows.
	long := strings.Repeat("x", maxResult-10) + " " + token + strings.Repeat("€", maxResult)
	got := boundResult(long)
	if len(got) > maxResult+20 || !strings.HasSuffix(got, "… cut here") || strings.Contains(got, token[:8]) || !utf8.ValidString(got) {
		t.Errorf("%d bytes, ending in %q", len(got), got[len(got)-40:])
	}
}
