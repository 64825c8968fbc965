package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/acta-git/acta/diag"
)

// Unit is a node of the plan. What the file leaves out has its zero value.
type Unit struct {
	ID          string  `json:"id"`
	Type        string  `json:"type"`
	Description string  `json:"description"`
	Status      string  `json:"status"`
	Checklist   []Item  `json:"checklist"`
	Children    []*Unit `json:"children"`
}

// Item is one thing that a unit must implement. An optional item must be
// reported like any other; only its completion is not asked for.
type Item struct {
	Text string `json:"item"`
	// Kind is code (the default), text, test, removal or asset.
	Kind string `json:"kind"`
}

// Error is a plan that cannot be read: where, and why.
type Error struct {
	Line, Column int
	Message      string
}

func (e *Error) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Message) }

// Read reads a plan file. Any error is an *Error.
func Read(data []byte) (*Unit, error) {
	root := new(Unit)
	dec := json.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(root); err != nil {
		return nil, located(data, dec.InputOffset(), err)
	}
	if dec.More() {
		return nil, located(data, dec.InputOffset(), errors.New("more than one JSON value"))
	}
	return root, nil
}

func located(data []byte, offset int64, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	message := err.Error()
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		offset = int64(len(data))
	case errors.As(err, &syntax):
		offset = max(syntax.Offset-1, 0)
	case errors.As(err, &kind):
		offset = kind.Offset
		message = fmt.Sprintf("%q holds a JSON %s where %s is expected", kind.Field, kind.Value, kind.Type)
	}
	pos := diag.NewLines(data).Pos(int(offset))
	return &Error{Line: pos.Line, Column: pos.Column, Message: message}
}

// Find returns the unit that name means: its key (the ids from below the root,
// joined by '/') or its id alone. nil where there is none.
func (u *Unit) Find(name string) *Unit {
	path := strings.Split(name, "/")
	if len(path) == 1 {
		return u.byID(name)
	}
	at := u
	for _, id := range path {
		if at = at.child(id); at == nil {
			return nil
		}
	}
	return at
}

func (u *Unit) child(id string) *Unit {
	for _, c := range u.Children {
		if c != nil && c.ID == id {
			return c
		}
	}
	return nil
}

func (u *Unit) byID(id string) *Unit {
	if u.ID == id {
		return u
	}
	for _, c := range u.Children {
		if c == nil {
			continue
		}
		if found := c.byID(id); found != nil {
			return found
		}
	}
	return nil
}

// Current returns the atomic unit that is in progress; nil when there is none, or more than one.
func (u *Unit) Current() *Unit {
	var found []*Unit
	u.visit(func(at *Unit) {
		if len(at.Children) == 0 && at.Status == "in_progress" {
			found = append(found, at)
		}
	})
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

// visit calls f for the unit and everything below it, a parent before its children.
func (u *Unit) visit(f func(*Unit)) {
	f(u)
	for _, c := range u.Children {
		if c != nil {
			c.visit(f)
		}
	}
}
