// Package hooks implements git's hooks, one file each, and installs them.
//
// What git passes to a hook goes in as a Call; an Answer with findings, warnings and a verdict comes out. A hook asks
// package judge the same questions that every other entry point asks, and does only what a hook alone can do: clean
// the message file as git will, and append anchors to it. It does not print or exit; package cmd/acta does. It must
// never import a command, or what stands below it: hosts, loop and the MCP server.
package hooks
