package weaker

// ReadAtMost makes comparisons read some bytes of tests at most, up to when what it returns is called.
func ReadAtMost(most int) (restore func()) {
	was := maxTests
	maxTests = most
	return func() { maxTests = was }
}
