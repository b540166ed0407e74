package problem

import (
	"io/fs"
	"testing/fstest"
)

// With returns a copy of the case in which the files with some extensions, such as ".in",
// have other contents, in memory.
func (c *Case) With(contents map[string][]byte) *Case {
	changed := make(map[string][]byte, len(contents))
	for ext, data := range contents {
		changed[c.Path(ext)] = data
	}
	one := *c
	one.FS = &overlay{c.FS, changed}
	return &one
}

// An overlay is a file system in which some files have other contents.
type overlay struct {
	fs.FS
	changed map[string][]byte
}

func (o *overlay) Open(name string) (fs.File, error) {
	if data, ok := o.changed[name]; ok {
		return fstest.MapFS{name: {Data: data, Mode: 0o444}}.Open(name)
	}
	return o.FS.Open(name)
}

// Where returns the real path of a name, for messages.
func (o *overlay) Where(name string) string { return Where(o.FS, name) }
