package main

// precommitRange reads the variables that the pre-commit framework sets for a push
// and for `pre-commit run --from-ref … --to-ref …` (pre-commit.com: "pre-push"). A
// push to which it gives no refs brings a root commit, and with it everything.
func (c command) precommitRange() (base, head string, ok bool) {
	base, head = c.Getenv("PRE_COMMIT_FROM_REF"), c.Getenv("PRE_COMMIT_TO_REF")
	if base != "" && head != "" {
		return base, head, true
	}
	if c.Getenv("PRE_COMMIT_REMOTE_URL") == "" {
		return "", "", false
	}
	if head = c.Getenv("PRE_COMMIT_LOCAL_BRANCH"); head == "" {
		head = "HEAD"
	}
	return "", head, true
}
