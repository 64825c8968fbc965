// Package evidence decides whether the cited lines hold what a claim says. Claims and source bytes go in, verdicts come
// out. It reads sources with tree-sitter, as the only package; each language is one folder in lang. It opens no file
// and knows no git: a Tree carries the readers.
package evidence
