// Command weaker measures package weaker: how often it is wrong about the honest history of public repositories, and how
// many of the changes that a mutator makes to their tests it finds. bench/weaker.sh runs it; bench/figures has the
// figures.
package main
