// Package weaker compares what two trees ask of the code: the tests of each, what their assertions demand, and the
// gates (workflows, runners, linters, coverage, hooks) that make them count. It answers where the later tree asks for
// less. In go the readers of two trees and the paths that differ; out comes an Account. It knows nothing of commits,
// policies or messages, and reads through evidence.Tree alone. It may never import check or what stands above it.
package weaker
