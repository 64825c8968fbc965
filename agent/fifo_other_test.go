//go:build !unix

package agent

func makeFIFO(string) bool { return false }
