package report

// Release is the release that this code is, and that every report names. What is released as a whole judges as one:
// each executable prints it for `--version`.
const Release = "0.1.0"
