// Command house measures the source of this repository as a house that people live in, and prints it as Markdown:
//
//	house [-page FILE] [TOP]
//
// Lines, tests and longest things by package, struct fields of function type, and arrows between the files of a package
// that run back up. The total is the product's; a module of its own has its line below. With -page the table is written
// between the markers «<!-- house -->» and «<!-- /house -->» of a page. floors_test.go holds the limits.
//
// It reads Go alone and resolves names by their spelling: what stands at the top of a package is found by its name, a
// method by its name where only one file of the package declares one so called. Generated files, testdata and tests
// are not measured, tests are counted beside what they test.
package main
