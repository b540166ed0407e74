//go:build amd64 || arm64

package sandbox

import (
	"fmt"
)

// Changes to a folder of Cmd.Writes are kept, but they must not fill the disk
// during the run: limits on single files do not bound their sum, and looks are too
// slow for fallocate. So in a box, such a folder is a copy in a file system in
// memory with a fixed size. After the run, when no process can change it, it is
// copied back, up to that size.

// keep copies the folders of Cmd.Writes back to the machine. It reports whether
// their contents exceed their size; the copy is then incomplete.
func (b *box) keep() (over bool, err error) {
	if err := b.goOut(); err != nil {
		return false, err
	}
	left := b.size
	for _, p := range b.kept {
		var files int
		left, files, err = CopyOut(realPath(p.path), p.fd, left)
		b.chores += files / 10
		if err != nil {
			err = fmt.Errorf("copy back %s: %w", p.path, err)
			break
		}
	}
	if back := b.goIn(); back != nil {
		return false, back
	}
	return left < 0, err
}
