package judge

// Release is the release that this code is. What is released as a whole judges
// as one: every executable passes it on, and `--version` prints it.
const Release = "0.1.0"
