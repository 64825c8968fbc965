package main

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

// readings.txt has what a person found who read honest claims that were refused; floors.txt has aims that are not
// reached yet.
var (
	//go:embed readings.txt
	readingsText string
	//go:embed floors.txt
	floorsText string
)

// A reading is what a person says of a refused claim.
type reading struct {
	stub  bool // it is none of honest work: the function is not written
	words string
}

// readingsOf maps "corpus place" to readings. A line is: corpus place: stub|complete, words.
func readingsOf(text string) (map[string]reading, error) {
	out := map[string]reading{}
	for line := range entries(text) {
		key, rest, ok := strings.Cut(line, ": ")
		kind, words, said := strings.Cut(rest, ", ")
		if !ok || !said || kind != "stub" && kind != "complete" {
			return nil, fmt.Errorf("readings.txt: %q is not: corpus place: stub|complete, why", line)
		}
		out[key] = reading{kind == "stub", words}
	}
	return out, nil
}

// floorsOf maps "figure: share" to the share that -gate asks for in the aim's stead. A line is: figure: share at
// number.
func floorsOf(text string) (map[string]float64, error) {
	out := map[string]float64{}
	for line := range entries(text) {
		key, value, ok := strings.Cut(line, " at ")
		share, err := strconv.ParseFloat(value, 64)
		if !ok || err != nil {
			return nil, fmt.Errorf("floors.txt: %q is not: figure: share at number", line)
		}
		out[key] = share
	}
	return out, nil
}

// entries are the lines that hold something and are no comment.
func entries(text string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			if line != "" && !strings.HasPrefix(line, "#") && !yield(line) {
				return
			}
		}
	}
}
