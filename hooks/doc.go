// Package hooks is git's hook points, one file each, and their installation. A
// hook reads what git hands it, asks package judge the same questions that every
// other entry point asks, and does what only a hook can do: clean the message file as
// git will, and append anchors to it.
package hooks
