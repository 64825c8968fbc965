package main

import (
	"context"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
)

// listenHost reads the address to listen on: its host, and whether only this machine reaches it.
func listenHost(ctx context.Context, addr string) (host string, isLoopback bool, err error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return "", false, usagef("--addr must be HOST:PORT, not %q", addr)
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return "", false, usagef("--addr: %q is no port", port)
	}
	if host == "" {
		return "", false, nil // every address of the machine
	}
	ips, err := net.DefaultResolver.LookupIP(ctx, "ip", host)
	if err != nil {
		return "", false, usagef("--addr: this machine cannot resolve %q: %v", host, err)
	}
	return host, !slices.ContainsFunc(ips, func(ip net.IP) bool { return !ip.IsLoopback() }), nil
}

// hostHeaders are the valid Host headers: the address that the server listens on and, on loopback, its names; if it
// listens on every address, those of the machine, and its name; and those of --host.
func hostHeaders(host string, at *net.TCPAddr, more []string) []string {
	names := []string{host}
	switch {
	case at.IP.IsLoopback():
		names = append(names, "localhost", at.IP.String())
	case at.IP.IsUnspecified():
		names = append(names, machineNames()...)
	}
	var all []string
	for _, name := range names {
		if name != "" {
			all = append(all, withPort(name, at.Port)...)
		}
	}
	for _, name := range more {
		if _, _, err := net.SplitHostPort(name); err != nil {
			// A proxy passes on the browser's Host: mostly a name without port.
			all = append(all, withPort(name, at.Port)...)
		}
		all = append(all, name)
	}
	return all
}

func machineNames() []string {
	names := []string{"localhost", "127.0.0.1", "::1"}
	if name, err := os.Hostname(); err == nil {
		names = append(names, name)
	}
	addrs, _ := net.InterfaceAddrs() // without them use --host
	for _, a := range addrs {
		if n, ok := a.(*net.IPNet); ok {
			names = append(names, n.IP.String())
		}
	}
	return names
}

func withPort(name string, port int) []string {
	name = strings.Trim(name, "[]")
	all := []string{net.JoinHostPort(name, strconv.Itoa(port))}
	if port == 80 { // browsers omit it
		all = append(all, strings.TrimSuffix(net.JoinHostPort(name, ""), ":"))
	}
	return all
}

func displayAddress(host string, at *net.TCPAddr) string {
	if host == "" || net.ParseIP(host).IsUnspecified() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, strconv.Itoa(at.Port))
}
