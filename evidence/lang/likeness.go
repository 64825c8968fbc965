package lang

// Likeness is the shared part of two multisets, as a percentage of their union.
func Likeness[K comparable](a, b map[K]int) int {
	shared, all := 0, 0
	for k, n := range a {
		shared += min(n, b[k])
		all += n
	}
	for _, n := range b {
		all += n
	}
	return shared * 100 / max(all-shared, 1)
}
