package remote

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing/fstest"

	"crucible/judge"
	"crucible/judge/internal/osfile"
	"crucible/judge/language"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/serve/blob"
)

// An Unpacker turns items back into work items. It keeps the packages of the last ones open.
// Its methods may be called concurrently.
type Unpacker struct {
	Judge string      // the version of the judge of this machine
	Store *blob.Store // has the blobs, or receives them
	Fetch Fetch       // brings the blobs of a tree into the store; nil if they are there
	Dir   string      // folder for the files of packages and submissions, which must exist
	Most  int         // how many packages are kept when no item uses them; 0 means 8

	mu       sync.Mutex
	packages map[string]*openPackage
	clock    int
}

// Fetch brings a tree and its files into the store, and keeps them there until the lease
// is released. See [blob.Client.FetchTree].
type Fetch func(ctx context.Context, s *blob.Store, tree blob.Digest) (*blob.Lease, error)

// An openPackage is a package in a folder of the unpacker.
type openPackage struct {
	once  func() error
	p     *problem.Problem
	dir   string
	users int
	used  int // when it was used last
}

// A RefusedError is the error for an item that this judge must not judge.
type RefusedError struct{ Why string }

// Error returns the reason.
func (e *RefusedError) Error() string { return e.Why }

// Open returns the work item of an item. The caller calls release when it has been
// executed. The error is a [*RefusedError], a failure of the package, or one of the
// files.
func (d *Unpacker) Open(ctx context.Context, i *Item) (_ *judge.WorkItem, release func(), err error) {
	if i.Judge != d.Judge {
		return nil, nil, &RefusedError{fmt.Sprintf("the work item is of version %q of the judge: expected %q", i.Judge,
			d.Judge)}
	}
	o, err := d.open(ctx, &i.Problem)
	if err != nil {
		return nil, nil, err
	}
	s, dir, err := d.submission(ctx, o.p, &i.Submission)
	release = func() {
		if dir != "" {
			osfile.RemoveAll(dir) // the folder of the unpacker is removed in the end
		}
		d.close(o)
	}
	w := &judge.WorkItem{Submission: s, Before: i.Before, Settings: i.Settings}
	if err == nil {
		w.Cases, err = casesOf(o.p, i.Cases)
	}
	if err != nil {
		release()
		return nil, nil, err
	}
	return w, release, nil
}

// casesOf returns the cases of these names, which must be in the problem's order.
func casesOf(p *problem.Problem, names []string) (cases []*problem.Case, err error) {
	rest := p.Cases
	for _, name := range names {
		at := slices.IndexFunc(rest, func(c *problem.Case) bool { return c.Name == name })
		if at < 0 {
			return nil, &RefusedError{fmt.Sprintf("%s has no case %q after those before it in the item", p.ID, name)}
		}
		cases, rest = append(cases, rest[at]), rest[at+1:]
	}
	return cases, nil
}

// open returns an open package, which the caller must close.
func (d *Unpacker) open(ctx context.Context, of *Package) (*openPackage, error) {
	key, err := record.Append(nil, of, false)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	o := d.packages[string(key)]
	if o == nil {
		if d.packages == nil {
			d.packages = make(map[string]*openPackage)
		}
		o = new(openPackage)
		o.once = sync.OnceValue(func() error { return d.extract(ctx, of, o) })
		d.packages[string(key)] = o
	}
	o.users++
	d.mu.Unlock()
	err = o.once()
	if err == nil {
		return o, nil
	}
	// The next item tries again: the error may be of the network, or of the context of
	// another item.
	d.mu.Lock()
	if d.packages[string(key)] == o {
		delete(d.packages, string(key))
	}
	d.mu.Unlock()
	d.close(o)
	if ctx.Err() == nil && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {
		return d.open(ctx, of)
	}
	return nil, err
}

// extract opens a package in a new folder.
func (d *Unpacker) extract(ctx context.Context, of *Package, o *openPackage) error {
	if !filepath.IsLocal(of.ID) || strings.ContainsAny(of.ID, `/\`) {
		return &RefusedError{fmt.Sprintf("problem id %q is not the name of a folder", of.ID)}
	}
	lease, err := d.fetch(ctx, of.Tree)
	if err != nil {
		return err
	}
	defer lease.Release()
	dir, err := os.MkdirTemp(d.Dir, "package-")
	if err != nil {
		return err
	}
	o.dir = dir
	in := filepath.Join(dir, "package")
	if err := d.Store.Extract(ctx, of.Tree, in); err != nil {
		return err
	}
	source, err := problem.Folder(in)
	if err != nil {
		return err
	}
	if err := source.ShowAs(of.ID, of.Path, of.Shown); err != nil {
		return errors.Join(err, source.Close())
	}
	p, err := problem.Open(source)
	if err != nil {
		return errors.Join(err, source.Close())
	}
	o.p = p
	return nil
}

// fetch brings a tree into the store.
func (d *Unpacker) fetch(ctx context.Context, tree blob.Digest) (*blob.Lease, error) {
	if d.Fetch != nil {
		return d.Fetch(ctx, d.Store, tree)
	}
	return nil, nil
}

// close ends the use of a package. It removes the packages that were not used for the
// longest time if there are too many.
func (d *Unpacker) close(o *openPackage) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.clock++
	o.users, o.used = o.users-1, d.clock
	most := d.Most
	if most == 0 {
		most = 8
	}
	var idle []string
	for key, one := range d.packages {
		if one.users == 0 {
			idle = append(idle, key)
		}
	}
	slices.SortFunc(idle, func(a, b string) int { return d.packages[b].used - d.packages[a].used })
	for _, key := range idle[min(most, len(idle)):] {
		d.packages[key].remove()
		delete(d.packages, key)
	}
	if kept := slices.Contains(slices.Collect(maps.Values(d.packages)), o); !kept && o.users == 0 {
		o.remove()
	}
}

// remove closes the package and removes its folder.
func (o *openPackage) remove() {
	if o.p != nil {
		o.p.Close()
		o.p = nil
	}
	if o.dir != "" {
		osfile.RemoveAll(o.dir)
		o.dir = ""
	}
}

// Close closes all packages. No item may be in use.
func (d *Unpacker) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, o := range d.packages {
		o.remove()
	}
	d.packages = nil
}

// submission returns a submission. Its files are in memory, or in the new folder dir;
// dir is "" if there is none.
func (d *Unpacker) submission(ctx context.Context, p *problem.Problem,
	of *Submission) (_ *problem.Submission, dir string, err error) {
	var fsys fs.FS
	if of.Files != nil {
		fsys, err = inMemory(of.Files)
	} else {
		dir, fsys, err = d.extracted(ctx, of.Tree)
	}
	if err != nil {
		return nil, dir, err
	}
	s := &problem.Submission{Problem: p, Entry: of.Entry, Expected: of.Expected}
	if s.Language = language.Builtin.ByCode(of.Language); s.Language == nil && of.Language != "" {
		return nil, dir, &RefusedError{fmt.Sprintf("language %q is not known", of.Language)}
	}
	if of.Inside {
		fsys = renamedFS{fsys, p}
	}
	var found problem.Defects
	program := problem.ReadProgram(fsys, of.Path, &found)
	if program == nil {
		return nil, dir, errors.Join(found.Errs...)
	}
	s.Program = *program
	s.Name = of.Name
	return s, dir, nil
}

// inMemory returns files as a file system. Their paths must be those of a tree.
func inMemory(files map[string][]byte) (fs.FS, error) {
	fsys, tree := make(fstest.MapFS, len(files)), new(blob.Tree)
	for name, data := range files {
		fsys[name] = &fstest.MapFile{Data: data}
		tree.Files = append(tree.Files, blob.File{Path: name, Digest: blob.Of(data)})
	}
	if _, err := tree.Encode(); err != nil { // checks the paths
		return nil, &RefusedError{fmt.Sprintf("the files of the submission: %v", err)}
	}
	return fsys, nil
}

// extracted returns the files of a tree in a new folder.
func (d *Unpacker) extracted(ctx context.Context, tree blob.Digest) (dir string, fsys fs.FS, err error) {
	if dir, err = os.MkdirTemp(d.Dir, "submission-"); err != nil {
		return "", nil, err
	}
	lease, err := d.fetch(ctx, tree)
	if err != nil {
		return dir, nil, err
	}
	defer lease.Release()
	in := filepath.Join(dir, "files")
	return dir, os.DirFS(in), d.Store.Extract(ctx, tree, in)
}

// A renamedFS is the file system of a submission whose messages name the paths of the
// package.
type renamedFS struct {
	fs.FS
	p *problem.Problem
}

// Where returns the path of a file for messages.
func (s renamedFS) Where(name string) string { return s.p.Where(name) }
