package results

import (
	"bytes"

	"golang.org/x/tools/cover"
)

// maxBlock is the longest block of a profile, in lines, that is believed.
const maxBlock = 1 << 16

// readGoProfile reads what `go test -coverprofile` writes: blocks. A line is executed where one of its blocks was.
func readGoProfile(name string, data []byte) (*Coverage, error) {
	profiles, err := cover.ParseProfilesFromReader(bytes.NewReader(data))
	if err != nil {
		return nil, &Error{name, 0, "no profile of `go test -coverprofile`: " + err.Error()}
	}
	c := &Coverage{Format: "go"}
	for _, p := range profiles {
		f := Covered{Path: slashed(p.FileName)}
		for _, b := range p.Blocks {
			if b.StartLine < 1 || b.EndLine > maxLine || b.EndLine-b.StartLine > maxBlock {
				return nil, &Error{name, 0, "a block of " + p.FileName + " has lines that no file has"}
			}
			for n := b.StartLine; n <= b.EndLine && b.NumStmt > 0; n++ {
				f.Lines = append(f.Lines, Line{int32(n), b.Count > 0})
			}
		}
		c.Files = append(c.Files, f)
	}
	return c, nil
}
