// Package evidence decides whether the lines that a claim cites hold what the
// claim says: a claim and source bytes in, a verdict out. It reads sources with
// tree-sitter, and is its only importer; a language is one folder below this
// one. It opens no file and knows no git: a Tree carries the readers.
package evidence
