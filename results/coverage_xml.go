package results

import (
	"path"
	"strings"
)

// coverageXML reads the reports that have lines in the elements of files.
type coverageXML struct {
	xmlReader
	c *Coverage
	// in is the file that is open, nil between two.
	in *Covered
	// folder is the package that is open, as JaCoCo writes it.
	folder string
	// sources are the folders that Cobertura's names may begin in; inSource: one of them is open.
	sources  []string
	inSource bool
}

func readCobertura(name string, data []byte) (*Coverage, error) {
	r := &coverageXML{xmlReader: xmlReader{name: name, data: data}, c: &Coverage{Format: "cobertura"}}
	if err := r.read((*coverageXML).cobertura); err != nil {
		return nil, err
	}
	if len(r.sources) == 1 { // of several nobody can tell which
		for i := range r.c.Files {
			if f := &r.c.Files[i]; !isAbsolute(f.Path) {
				f.Path = path.Join(slashed(r.sources[0]), f.Path)
			}
		}
	}
	return r.c, nil
}

func readJaCoCo(name string, data []byte) (*Coverage, error) {
	r := &coverageXML{xmlReader: xmlReader{name: name, data: data}, c: &Coverage{Format: "jacoco"}}
	return r.c, r.read((*coverageXML).jacoco)
}

// read hands every token to of.
func (r *coverageXML) read(of func(*coverageXML, xmlToken) error) error {
	for {
		t, err := r.next()
		if err != nil || t.kind == xmlEnd {
			return err
		}
		if err := of(r, t); err != nil {
			return err
		}
	}
}

func (r *coverageXML) cobertura(t xmlToken) error {
	switch {
	case t.element == "source":
		r.inSource = t.kind == xmlOpen
	case t.kind == xmlText && r.inSource:
		source, err := r.unescape(t.raw)
		r.sources = append(r.sources, source)
		return err
	case t.element == "class":
		return r.file(t, "filename")
	case t.element == "line" && t.kind == xmlOpen:
		return r.line(t, "number", "hits")
	}
	return nil
}

func (r *coverageXML) jacoco(t xmlToken) error {
	switch {
	case t.element == "package" && t.kind == xmlOpen:
		var err error
		r.folder, err = r.attribute(t, "name")
		return err
	case t.element == "sourcefile":
		return r.file(t, "name")
	case t.element == "line" && t.kind == xmlOpen:
		return r.line(t, "nr", "ci")
	}
	return nil
}

// file begins a file, or ends it.
func (r *coverageXML) file(t xmlToken, attribute string) error {
	if r.in = nil; t.kind != xmlOpen {
		return nil
	}
	name, err := r.attribute(t, attribute)
	r.c.Files = append(r.c.Files, Covered{Path: path.Join(r.folder, slashed(name))})
	r.in = &r.c.Files[len(r.c.Files)-1]
	return err
}

func (r *coverageXML) line(t xmlToken, number, count string) error {
	if r.in == nil {
		return nil
	}
	n, err := r.number(t, number)
	if err != nil {
		return err
	}
	hits, err := r.attribute(t, count)
	if n > 0 {
		r.in.Lines = append(r.in.Lines, Line{int32(n), strings.Trim(hits, "0") != ""})
	}
	return err
}
