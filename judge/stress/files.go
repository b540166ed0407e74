package stress

import (
	"bytes"
	"io/fs"
	"path"
	"time"

	"crucible/judge/problem"
)

// files is a package in which some files have other contents, in memory.
type files struct {
	fs.FS
	changed map[string][]byte
}

func (f *files) Open(name string) (fs.File, error) {
	if data, ok := f.changed[name]; ok {
		return &file{bytes.NewReader(data), info{path.Base(name), int64(len(data))}}, nil
	}
	return f.FS.Open(name)
}

type file struct {
	*bytes.Reader
	info info
}

func (f *file) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *file) Close() error               { return nil }

type info struct {
	name string
	size int64
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) Mode() fs.FileMode  { return 0o444 }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return false }
func (i info) Sys() any           { return nil }

// with returns a case with another input and answer.
func with(c *problem.Case, input, answer []byte) *problem.Case {
	one := *c
	one.FS = &files{c.FS, map[string][]byte{c.Path(".in"): input, c.Path(".ans"): answer}}
	return &one
}

// TestCase returns a case with the input and answer that were found, or with the smallest
// ones, and the settings of Case.
func (c *Counterexample) TestCase(smallest bool) *problem.Case {
	if smallest {
		return with(c.Case, c.Smallest(), c.SmallestAnswer())
	}
	return with(c.Case, c.Input, c.Answer)
}
