// Package worklog keeps the record of what was done. So far that is what a
// repository must remember and git does not: which commits were rewritten into
// which. It lies in the state that a repository's work trees share and that is
// never pushed, $GIT_COMMON_DIR/acta. The record fails open: whoever cannot write
// it warns, and the work goes on.
package worklog
