package hosts

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
)

// Step is what the model answers once: it uses a tool, or says something and ends its turn.
type Step struct {
	// Tool is the host's name of a tool, "" to say something; Input is what it is handed.
	Tool  string
	Input map[string]any
	Say   string
}

// Model is a model on loopback that says what it was told to, in the protocols that hosts of coding agents speak: so the
// real programs are driven without a network, and what they sent to their model is known. It answers the step that is
// due by how often it has answered in the conversation that it is sent, beyond what stood there in its first request:
// what a session that goes on has said before. Requests without tools, for titles and the like, are no step.
type Model struct {
	steps  []Step
	server *httptest.Server
	mu     sync.Mutex
	// before is how often the conversation was answered before the first request, -1 until there is one.
	before int
	sent   []string
	others []string
	beyond []string
}

// startModel starts a model that answers these steps, on loopback.
func startModel(steps ...Step) *Model {
	m := &Model{steps: steps, before: -1}
	m.server = httptest.NewServer(http.HandlerFunc(m.serve))
	return m
}

// Close stops it.
func (m *Model) Close() {
	m.server.CloseClientConnections()
	m.server.Close()
}

// URL is where it listens, without a path.
func (m *Model) URL() string { return m.server.URL }

// Sent is the text of each conversation that it was sent, in order: all that stands in the request, without its JSON.
func (m *Model) Sent() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.sent)
}

// News is what each conversation that it was sent holds that the one before did not: line by line, since hosts send all
// of it again.
func (m *Model) News() (all []string) {
	before := map[string]int{}
	for _, text := range m.Sent() {
		now := map[string]int{}
		var b strings.Builder
		for line := range strings.Lines(text) {
			if now[line]++; now[line] > before[line] {
				b.WriteString(line)
			}
		}
		all, before = append(all, b.String()), now
	}
	return all
}

// Others are the requests that it did not answer by a step.
func (m *Model) Others() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.others)
}

// protocol is one way to ask a model.
type protocol interface {
	// speaks reports whether a path is of this protocol.
	speaks(path string) bool
	// turn is how often the model has answered in a conversation; ok is false where no step is asked for.
	turn(path string, body object) (n int, ok bool)
	// answer answers a step; n is how often the model has answered before.
	answer(w io.Writer, n int, s Step)
}

// protocols are those that it speaks.
func protocols() []protocol { return []protocol{messages{}, responses{}, contents{}, completions{}} }

func (m *Model) serve(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodConnect || r.URL.Host != "" && r.URL.Host != m.server.Listener.Addr().String() {
		m.proxy(w, r)
		return
	}
	data, err := io.ReadAll(r.Body)
	var body object
	if err != nil || len(data) > 0 && json.Unmarshal(data, &body) != nil {
		http.Error(w, "no JSON", http.StatusBadRequest)
		return
	}
	for _, p := range protocols() {
		if !p.speaks(r.URL.Path) {
			continue
		}
		n, ok := p.turn(r.URL.Path, body)
		step := Step{Say: "Shop"} // a title, or whatever else was asked for
		if ok {
			step = Step{Say: "I stop here."}
			if due := m.due(n); due < len(m.steps) {
				step = m.steps[due]
			}
		}
		m.note(ok, string(data), body)
		p.answer(&stream{w: w, streamed: streams(r, body)}, n, step)
		return
	}
	m.note(false, r.Method+" "+r.URL.Path+" "+string(data), nil)
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, "{}") // whoever asked has gone where it fails
}

// due is the step of a conversation that was answered n times.
func (m *Model) due(n int) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.before < 0 {
		m.before = n
	}
	return max(n-m.before, 0)
}

// note keeps what was sent.
func (m *Model) note(isStep bool, raw string, body object) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if isStep {
		var b strings.Builder
		writeTexts(&b, body)
		m.sent = append(m.sent, b.String())
		return
	}
	m.others = append(m.others, raw)
}

// streams reports whether a request wants its answer in pieces.
func streams(r *http.Request, body object) bool {
	asked, _ := body["stream"].(bool)
	return asked || strings.HasSuffix(r.URL.Path, ":streamGenerateContent")
}

// stream writes an answer: as events, or as the whole.
type stream struct {
	w        http.ResponseWriter
	streamed bool
}

// Write is that of an answer which is no stream.
func (s *stream) Write(data []byte) (int, error) { return s.w.Write(data) }

// object is an object of JSON.
type object = map[string]any

// event writes one event of a stream; name is "" in the protocols that give none.
func event(w io.Writer, name string, data any) {
	text, err := json.Marshal(data)
	if err != nil {
		panic(err) // every answer is of maps and texts
	}
	if name != "" {
		_, _ = fmt.Fprintf(w, "event: %s\n", name)
	}
	_, _ = fmt.Fprintf(w, "data: %s\n\n", text)
}

// objects are the objects of a list.
func objects(v any) (all []object) {
	list, _ := v.([]any)
	for _, e := range list {
		if o, ok := e.(object); ok {
			all = append(all, o)
		}
	}
	return all
}

// count is how many objects of a list have one of some values under a key.
func count(list any, key string, values ...string) (n int) {
	for _, o := range objects(list) {
		if s, _ := o[key].(string); slices.Contains(values, s) {
			n++
		}
	}
	return n
}

// writeTexts writes all texts in a value, a line each. What is JSON in a text is written as it is.
func writeTexts(b *strings.Builder, v any) {
	switch v := v.(type) {
	case string:
		b.WriteString(v + "\n")
	case []any:
		for _, e := range v {
			writeTexts(b, e)
		}
	case object:
		var keys []string
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			writeTexts(b, v[k])
		}
	}
}

// id is one that a step's use of a tool has.
func id(prefix string, n int) string { return fmt.Sprintf("%s%08d", prefix, n) }

// args is the input of a tool as JSON in a text.
func args(input map[string]any) string {
	text, err := json.Marshal(input)
	if err != nil {
		panic(err) // inputs are of texts and lists of them
	}
	return string(text)
}

// What a step is said to have cost, in tokens.
const (
	// TokensIn is what each request is said to hold.
	TokensIn = 1000
	// TokensOut is what each answer is said to hold.
	TokensOut = 50
)
