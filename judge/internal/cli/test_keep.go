package cli

import (
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"crucible/judge/internal/osfile"
	"crucible/judge/problem"
)

// An outputKeeper writes the files of failed samples into a folder. Their names are derived
// from the names of the samples, so no program chooses a name. Each file is written to
// a temporary file, which is then renamed.
type outputKeeper struct {
	root   *os.Root                        // nil if nothing is kept
	drafts map[*problem.Case]*osfile.Draft // output that was printed
}

func keeping(dir string) (*outputKeeper, error) {
	if dir == "" {
		return &outputKeeper{}, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	return &outputKeeper{root: root, drafts: make(map[*problem.Case]*osfile.Draft)}, err
}

// output copies an output, while it is read, to a file that is kept if the sample
// fails.
func (k *outputKeeper) output(c *problem.Case, r io.Reader) (io.Reader, error) {
	if k.root == nil {
		return r, nil
	}
	d, err := osfile.NewDraft(k.root, "output")
	if err != nil {
		return nil, err
	}
	if before := k.drafts[c]; before != nil {
		before.Discard() // it is the output of an earlier pass
	}
	k.drafts[c] = d
	return io.TeeReader(r, d), nil
}

// failed keeps the files of a sample under a name.
func (k *outputKeeper) failed(name string, c *problem.Case, answered bool, stderr string) error {
	if k.root == nil {
		return nil
	}
	if dir := path.Dir(name); dir != "." {
		if err := k.root.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	if d := k.drafts[c]; d != nil {
		delete(k.drafts, c)
		d.To = filepath.FromSlash(name + ".out")
		if err := d.Commit(d.Sync()); err != nil {
			return err
		}
	}
	exts := []string{".in", ".ans"}
	if !answered {
		exts = exts[:1]
	}
	for _, ext := range exts {
		f, err := c.Open(ext)
		if err != nil {
			return err
		}
		if err := errors.Join(k.write(name+ext, f), f.Close()); err != nil {
			return err
		}
	}
	return k.write(name+".err", strings.NewReader(stderr))
}

func (k *outputKeeper) write(name string, r io.Reader) error {
	d, err := osfile.NewDraft(k.root, filepath.FromSlash(name))
	if err != nil {
		return err
	}
	_, err = io.Copy(d, r)
	return d.Commit(errors.Join(err, d.Sync()))
}

// close removes the temporary files that are not kept.
func (k *outputKeeper) close() error {
	if k.root == nil {
		return nil
	}
	for _, d := range k.drafts {
		d.Discard()
	}
	return k.root.Close()
}
