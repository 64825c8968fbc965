package policy

import (
	"net/url"
	"time"
)

// Notify says how the operator is told of a lockdown: by a program, a webhook, or
// both. Its zero value tells nobody.
type Notify struct {
	// Run is a program and its arguments; no shell reads them. Empty for none.
	Run []string
	// Webhook is an http or https address; "" for none.
	Webhook string
	// Timeout is how long each of them may take.
	Timeout time.Duration
}

// IsZero reports whether nobody is told.
func (n *Notify) IsZero() bool { return len(n.Run) == 0 && n.Webhook == "" }

type notify struct {
	Run     []string `yaml:"run"`
	Timeout string   `yaml:"timeout"`
	Webhook string   `yaml:"webhook"`
}

// notify reads how the operator is told.
func (r *reader) notify() error {
	const at = "$.score.notify"
	n := r.file.Score.Notify
	if n == nil {
		return nil
	}
	if len(n.Run) == 0 && n.Webhook == "" {
		return r.errorAt(at,
			"nothing says how to notify the operator; write for example run: [notify-operator], or webhook: https://…")
	}
	if n.Run != nil {
		if err := r.program(at, "score.notify", n.Run); err != nil {
			return err
		}
	}
	if n.Webhook != "" {
		if u, err := url.Parse(n.Webhook); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
			return r.errorAt(at+".webhook", "a webhook is an address as in https://alerts.example/hook")
		}
	}
	limit, err := r.timeout(at, n.Timeout)
	r.policy.Notify = Notify{n.Run, n.Webhook, limit}
	return err
}
