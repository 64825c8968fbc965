package repo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/storer"
)

// objects is the reading half of go-git's object storage, served by git.
type objects struct {
	ctx   context.Context
	batch *batch
}

var _ storer.EncodedObjectStorer = objects{}

// errReadOnly: the writing half.
var errReadOnly = errors.New("acta reads objects and writes none")

// EncodedObject reads an object that must be there. A missing one is
// plumbing.ErrObjectNotFound, as go-git wants it, and ErrDamaged.
func (o objects) EncodedObject(kind plumbing.ObjectType, h plumbing.Hash) (plumbing.EncodedObject, error) {
	fits := func(got header) bool { return kind == plumbing.AnyObject || got.kind == kind }
	got, content, err := o.batch.read(o.ctx, h.String(), fits)
	if err != nil {
		return nil, missing(h.String(), err)
	}
	if !fits(got) {
		return nil, fmt.Errorf("%w: %s is a %s where a %s must stand", ErrDamaged, h, got.kind, kind)
	}
	return &stored{id: h, kind: got.kind, content: content}, nil
}

// missing tells of an object that another one names, or the caller has from one.
func missing(id string, err error) error {
	if errors.Is(err, errAbsent) {
		return fmt.Errorf("%w: object %s is missing (%w); git fsck tells what else is", ErrDamaged,
			id, plumbing.ErrObjectNotFound)
	}
	return err
}

// EncodedObjectSize is the size in bytes, without reading the content.
func (o objects) EncodedObjectSize(h plumbing.Hash) (int64, error) {
	got, err := o.batch.stat(o.ctx, h.String())
	if err != nil {
		return 0, missing(h.String(), err)
	}
	return got.size, nil
}

// HasEncodedObject is nil for an object that is there.
func (o objects) HasEncodedObject(h plumbing.Hash) error {
	_, err := o.EncodedObjectSize(h)
	return err
}

func (objects) NewEncodedObject() plumbing.EncodedObject { return &plumbing.MemoryObject{} }

func (objects) SetEncodedObject(plumbing.EncodedObject) (plumbing.Hash, error) {
	return plumbing.ZeroHash, errReadOnly
}

func (objects) AddAlternate(string) error { return errReadOnly }

// IterEncodedObjects is not needed: whatever lists objects here asks git for the list.
func (objects) IterEncodedObjects(plumbing.ObjectType) (storer.EncodedObjectIter, error) {
	return nil, errors.New("acta lists objects through git rev-list")
}

// stored is an object as git served it. go-git's own MemoryObject would compute
// the name of the content again.
type stored struct {
	id      plumbing.Hash
	kind    plumbing.ObjectType
	content []byte
}

func (s *stored) Hash() plumbing.Hash         { return s.id }
func (s *stored) Type() plumbing.ObjectType   { return s.kind }
func (s *stored) SetType(plumbing.ObjectType) {}
func (s *stored) Size() int64                 { return int64(len(s.content)) }
func (s *stored) SetSize(int64)               {}
func (s *stored) Reader() (io.ReadCloser, error) {
	return io.NopCloser(bytes.NewReader(s.content)), nil
}
func (s *stored) Writer() (io.WriteCloser, error) { return nil, errReadOnly }
