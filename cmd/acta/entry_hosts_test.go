package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/acta-git/acta/hooks/host"
)

// hostEvents are what each host calls a session's beginning and a tool that was used, with such a tool.
var hostEvents = map[string][2]string{
	"claude":   {"SessionStart", `PostToolUse","tool_name":"Read`},
	"codex":    {"SessionStart", `PostToolUse","tool_name":"view_image`},
	"gemini":   {"SessionStart", `AfterTool","tool_name":"read_file`},
	"copilot":  {"SessionStart", `PostToolUse","tool_name":"View`},
	"qwen":     {"SessionStart", `PostToolUse","tool_name":"read_file`},
	"cursor":   {"sessionStart", `postToolUse","tool_name":"Read`},
	"opencode": {"session.created", `tool.execute.after","tool_name":"read`},
}

// hostSays is what a host's hook answers at an event of a session in the work tree, standard error included.
func (w *world) hostSays(h host.Host, event int) string {
	w.Helper()
	names, known := hostEvents[h.ID()]
	if !known {
		w.Fatalf("nothing says what %s calls its events", h.ID())
	}
	said := w.ask(fmt.Sprintf(`{"session_id":"s","conversation_id":"s","cwd":%q,"hook_event_name":"%s"}`, w.dir, names[event]),
		"agent", "hook", "--host", h.ID()) // exit code 2 is how one host tells its agent
	return strings.TrimPrefix(said.Stdout, "{}\n") + said.Stderr
}

// sessionsBegin lets sessions of hosts begin in the work tree.
func (w *world) sessionsBegin(hosts []host.Host) {
	w.Helper()
	for _, h := range hosts {
		if said := w.hostSays(h, 0); said != "" {
			w.Errorf("%s says %q at the beginning", h.Name(), said)
		}
	}
}

// tell is what each host tells its agent after the next tool. They look one after the other, each as if it were alone:
// what another session was told of is not told again.
func (w *world) tell(hosts []host.Host) map[string]string {
	w.Helper()
	said := map[string]string{}
	states := w.git("rev-parse", "--path-format=absolute", "--git-common-dir") + "/acta/hosts"
	for _, h := range hosts {
		said[h.ID()] = w.hostSays(h, 1)
		files, err := os.ReadDir(states)
		if err != nil {
			w.Fatal(err)
		}
		for _, f := range files {
			if strings.HasPrefix(f.Name(), h.ID()) {
				if err := os.Remove(states + "/" + f.Name()); err != nil {
					w.Fatal(err)
				}
			}
		}
	}
	return said
}

// hostsLine says below the table of docs/install.md of which ways the hosts tell their agents; cells are by way and "hosts".
func hostsLine(cells map[string]string) string {
	var not []string
	for _, y := range ways() {
		if cells[y.name+"hosts"] != toldOf {
			not = append(not, y.name)
		}
	}
	return fmt.Sprintf("\nAfter %d of these %d ways, all hosts tell their agents of the lie; each way was tried with two hosts. If the lie is older than the session, they do not tell after: %s.\n",
		len(ways())-len(not), len(ways()), strings.Join(not, "; "))
}
