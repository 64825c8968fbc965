// Package bench measures whole processes against each other in one run. Figures
// are ratios and differences of medians; nothing here asserts a time.
package bench
