package report

// Release is the release of this code. Every report names it, and `--version` prints it.
const Release = "0.1.0"
