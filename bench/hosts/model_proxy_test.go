package hosts

import (
	"io"
	"net"
	"net/http"
	"sync"
)

// proxy is for programs that are told to reach everything through the model: they reach it alone, and nothing beyond
// this machine. Some ask for a tunnel even to where they could go at once.
func (m *Model) proxy(w http.ResponseWriter, r *http.Request) {
	own := m.server.Listener.Addr().String()
	hijacker, ok := w.(http.Hijacker)
	if r.Method != http.MethodConnect || r.Host != own || !ok {
		m.mu.Lock()
		m.beyond = append(m.beyond, r.Method+" "+r.Host)
		m.mu.Unlock()
		http.Error(w, "nothing beyond this machine is reached", http.StatusForbidden)
		return
	}
	there, err := net.Dial("tcp", own)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	here, _, err := hijacker.Hijack()
	if err != nil {
		_ = there.Close()
		return
	}
	_, _ = io.WriteString(here, "HTTP/1.1 200 OK\r\n\r\n")
	// Both directions end when either side has gone.
	end := sync.OnceFunc(func() { _, _ = here.Close(), there.Close() })
	go func() { defer end(); _, _ = io.Copy(there, here) }()
	go func() { defer end(); _, _ = io.Copy(here, there) }()
}

// Beyond are the places on other machines that were asked for, and not reached.
func (m *Model) Beyond() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]string(nil), m.beyond...)
}
