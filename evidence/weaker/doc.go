// Package weaker compares what two trees require of the code: their tests, the assertions of these, and the gates
// (workflows, runners, linters, coverage, hooks) that make them count. It reports where the later tree requires less.
// Two trees and the changed paths go in, an Account comes out. It knows nothing of commits, policies or messages, and
// reads only through evidence.Tree. It never imports packages of a higher floor.
package weaker
