package host

import (
	"fmt"
	"strings"
	"testing"
)

// The events of each host at which the model may be given context, and the form of the answer; no prompt of Cursor's
// takes any.
var contextForms = map[Host]struct{ start, prompt, startForm, promptForm string }{
	claude{}: {"SessionStart", "UserPromptSubmit",
		`{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":%q}}`, `{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":%q}}`},
	codex{}: {"SessionStart", "UserPromptSubmit",
		`{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":%q}}`, `{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":%q}}`},
	gemini{}: {"SessionStart", "BeforeAgent",
		`{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":%q}}`, `{"hookSpecificOutput":{"hookEventName":"BeforeAgent","additionalContext":%q}}`},
	copilot{}: {"SessionStart", "UserPromptSubmit", `{"additionalContext":%q}`, ``},
	qwen{}: {"SessionStart", "UserPromptSubmit",
		`{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":%q}}`, `{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":%q}}`},
	opencode{}: {"session.created", "chat.message", `{"text":%q}`, `{"text":%q}`},
	cursor{}:   {"sessionStart", "beforeSubmitPrompt", `{"additional_context":%q}`, `{}`},
}

// tells holds what every host's model is told at a beginning and at a prompt, "" for nothing.
func (b *bench) tells(when, start, prompt string) {
	b.Helper()
	for _, h := range Hosts() {
		f, known := contextForms[h]
		if !known {
			b.Errorf("nothing says how %s takes context", h.ID())
		}
		for event, want := range map[string]string{f.start: answered(h, f.startForm, start), f.prompt: answered(h, f.promptForm, prompt)} {
			a := b.hook(h, when+h.ID(), `{"session_id": "$SESSION", "conversation_id": "$SESSION", "cwd": "$TOP", "hook_event_name": "`+event+`", "prompt": "Go on"}`)
			if a.Stdout != want || a.Code != 0 || len(a.Warnings) > 0 {
				b.Errorf("%s: %s of %s answers %q, %v; want %q", when, event, h.ID(), a.Stdout, a.Warnings, want)
			}
		}
	}
}

func answered(h Host, form, line string) string {
	if line != "" && strings.Contains(form, "%q") {
		return fmt.Sprintf(form, line) + "\n"
	}
	return h.emptyAnswer().Stdout
}

func TestTheModelIsToldWhereItStands(t *testing.T) {
	b := newBench(t)
	b.tells("before anything", "", "")

	notice := func(what string) string {
		return "acta score: " + what + ". A verified item earns 10, one that does not hold costs 15, a stub reported as done 45."
	}
	var code strings.Builder
	act := func(unit string, n int, body string) {
		b.Helper()
		at := strings.Count(code.String(), "\n") + 1
		fmt.Fprintf(&code, "def f%d(x):\n    %s\n\n\n", n, body)
		b.write("a.py", code.String())
		b.git("add", "-A")
		b.git("commit", "-q", "-m", fmt.Sprintf("ACT: %s work\n\nDone: Add f%d | a.py:%d-%d", unit, n, at, at+1))
	}
	act("T01", 1, "return x * 7 + 1")
	line := notice("tier warning, 10 points today, target 50; the penalty ends at 13")
	b.tells("warning", line, line)
	act("T02", 2, "return x - 4")
	b.tells("normal", notice("tier normal, 20 points today, target 50; on track, good begins at 25"), "")
	act("T03", 3, "return [x, x]")
	line = notice("tier good, 30 points today, target 50; on track, excellent begins at 35")
	b.tells("good", line, line)

	b.env["ACTA_ACTOR"] = "executor-02"
	b.tells("another who has made no ACT", "", "")
	delete(b.env, "ACTA_ACTOR")
	b.git("config", "acta.actor", "executor-02")
	b.tells("the one whom git's configuration names", "", "")
	b.git("config", "--unset", "acta.actor")

	act("T05", 5, "pass")
	act("T06", 6, "pass")
	line = notice("tier lockdown, -60 points today, target 50; the penalty ends at 13")
	b.tells("lockdown", line, line)
	b.now = b.now.AddDate(0, 0, 1)
	line = notice("tier tightened, 0 points today, target 50; the penalty ends at 13")
	b.tells("the next day", line, line)
}
