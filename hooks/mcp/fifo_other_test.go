//go:build !unix

package mcp

import "testing"

func fifo(t *testing.T, _ string) {
	t.Helper()
	t.Skip("no named pipes here")
}
