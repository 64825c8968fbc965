// Package openly tells whether the message of a commit says openly that a test or a gate asks for less.
//
// A message does where one of its clauses both asks for less («remove», «skip», «no longer») and names what: the test,
// its suite or file, the tool, the rule, the job or the service. Work that hides nothing so weighs one step less than
// work that does not say what it does. The word alone is no excuse, nor is the name: «Remove dead code, add tax()» says
// nothing of test_tax.
package openly
