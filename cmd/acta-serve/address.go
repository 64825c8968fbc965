package main

import (
	"context"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
)

// bindable reads an address to listen on: its host, and whether only this machine reaches it.
func bindable(ctx context.Context, addr string) (host string, loopback bool, err error) {
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
		return "", false, usagef("--addr: there is no address of %q here: %v", host, err)
	}
	return host, !slices.ContainsFunc(ips, func(ip net.IP) bool { return !ip.IsLoopback() }), nil
}

// hosts are the values of a Host header that mean this server: the address that it
// listens on and, on loopback, the names of it; where it listens on every address,
// those of the machine, and its name; and what --host adds.
func hosts(host string, at net.Addr, more []string) []string {
	tcp, ok := at.(*net.TCPAddr)
	if !ok {
		return more
	}
	names := []string{host}
	switch {
	case tcp.IP.IsLoopback():
		names = append(names, "localhost", tcp.IP.String())
	case tcp.IP.IsUnspecified():
		names = append(names, machineNames()...)
	}
	var all []string
	for _, name := range names {
		if name != "" {
			all = append(all, withPort(name, tcp.Port)...)
		}
	}
	for _, name := range more {
		if _, _, err := net.SplitHostPort(name); err != nil {
			// A proxy passes on what a browser asked for: mostly a name without its port.
			all = append(all, withPort(name, tcp.Port)...)
		}
		all = append(all, name)
	}
	return all
}

// machineNames are what this machine can be called by who reaches all of its addresses.
func machineNames() []string {
	names := []string{"localhost", "127.0.0.1", "::1"}
	if name, err := os.Hostname(); err == nil {
		names = append(names, name)
	}
	addrs, _ := net.InterfaceAddrs() // without them --host is the way
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
	if port == 80 { // browsers leave it out
		all = append(all, strings.TrimSuffix(net.JoinHostPort(name, ""), ":"))
	}
	return all
}

// shown is the address for a reader, with the port that was taken.
func shown(host string, at net.Addr) string {
	_, port, err := net.SplitHostPort(at.String())
	if err != nil {
		return at.String()
	}
	if host == "" || net.ParseIP(host).IsUnspecified() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port)
}
