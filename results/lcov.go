package results

import (
	"bytes"
	"strconv"
	"strings"
)

// isLCOV reports whether one of the first lines is LCOV's.
func isLCOV(data []byte) bool {
	head := data[:min(len(data), 1<<16)]
	return bytes.HasPrefix(head, []byte("SF:")) || bytes.HasPrefix(head, []byte("TN:")) ||
		bytes.Contains(head, []byte("\nSF:"))
}

// readLCOV reads the lines of a tracefile; branches and functions are passed over.
func readLCOV(name string, data []byte) (*Coverage, error) {
	c := &Coverage{Format: "lcov"}
	var in *Covered
	number := 0
	for line := range bytes.Lines(data) {
		number++
		text := strings.TrimRight(string(line), "\r\n")
		if file, ok := strings.CutPrefix(text, "SF:"); ok {
			c.Files = append(c.Files, Covered{Path: slashed(file)})
			in = &c.Files[len(c.Files)-1]
			continue
		}
		counted, ok := strings.CutPrefix(text, "DA:")
		if !ok {
			continue
		}
		of, hits, found := strings.Cut(counted, ",")
		n, err := strconv.Atoi(of)
		if in == nil || !found || err != nil || n < 0 || n > maxLine {
			return nil, &Error{name, number, "DA:<line>,<count> in a record that begins with SF: was expected"}
		}
		hits, _, _ = strings.Cut(hits, ",") // a checksum
		if n > 0 {
			in.Lines = append(in.Lines, Line{int32(n), strings.Trim(hits, "0") != "" && hits[0] != '-'})
		}
	}
	return c, nil
}
