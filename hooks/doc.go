// Package hooks implements git's hooks, one file each, and installs them.
//
// A Call with git's arguments goes in; an Answer with findings, warnings and a verdict comes out. A hook asks package
// judge the same questions as every other entry point, and does only what hooks alone can do: clean the message file as
// git will, and append anchors. It does not print or exit; package cmd/acta does. It must never import a command, or
// the packages below it: host, loop and mcp.
package hooks
