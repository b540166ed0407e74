package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"crucible/judge/internal/osfile"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/remote"
	"crucible/judge/terminal"
)

const (
	maxOpen  = 64              // packages that stay open when no judgement uses them
	lookEach = 2 * time.Second // how often the files of packages are compared with those that were opened
	maxZip   = 1 << 30         // bytes of a zip
)

// Problems are the packages that a server judges on: those of a folder, and those that
// clients have sent. Its methods may be called concurrently.
type Problems struct {
	Folder string      // a repository, a package or a folder of packages; "" for none
	Dir    string      // keeps the list of packages that were sent, and the files of those that are open
	Store  *blob.Store // has the files of packages that were sent
	Judge  string      // the version of the judge
	Pool   remote.Pool // makes the runs
	Doubt  float64     // see [judge.Judge]

	mu     sync.Mutex
	open   map[string]*pack  // by id or digest
	found  map[string]string // paths by id, of the packages in Folder
	looked time.Time         // when found was read
	clock  int
}

// Open creates the folder Dir and removes what an earlier server left there. Call it
// before the first request.
func (k *Problems) Open() error {
	if err := os.MkdirAll(k.Dir, 0o700); err != nil {
		return err
	}
	for _, pattern := range []string{"upload-*", "open-*"} {
		left, _ := filepath.Glob(filepath.Join(k.Dir, pattern)) // the pattern is right
		for _, name := range left {
			if err := osfile.RemoveAll(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// A packageFile is a package that a client sent, as it is kept on disk.
type packageFile struct {
	ID   string      `json:"id"`
	Tree blob.Digest `json:"tree"`
}

// Find returns an open package, by its id or its digest. The caller must close it. The
// error is a [*blob.Problem] if there is none, or if it has defects.
func (k *Problems) Find(ctx context.Context, name string) (*pack, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if p := k.open[name]; p != nil {
		if p.current(ctx) {
			p.users++
			return p, nil
		}
		delete(k.open, name)
		p.gone = true
		p.removeUnused()
	}
	p, err := k.openNew(ctx, name)
	if err != nil {
		return nil, err
	}
	k.add(name, p)
	return p, nil
}

// add adds an open package with one user. The caller holds k.mu.
func (k *Problems) add(name string, p *pack) {
	if k.open == nil {
		k.open = make(map[string]*pack)
	}
	k.open[name], p.users = p, 1
}

// openNew opens a package.
func (k *Problems) openNew(ctx context.Context, name string) (*pack, error) {
	var source *problem.Source
	var dir string
	if _, err := blob.Parse(name); err == nil {
		if source, dir, err = k.extract(ctx, name); err != nil {
			return nil, err
		}
	} else {
		if err := k.look(); err != nil {
			return nil, err
		}
		where, ok := k.found[name]
		if !ok {
			hint := terminal.DidYouMean(name, terminal.Texts(k.ids(), func(id string) string { return id }))
			return nil, blob.NewProblem(http.StatusNotFound, "problem %q: found none of that id or digest%s", name, hint)
		}
		if source, err = problem.Locate(where); err != nil {
			return nil, blob.NewProblem(http.StatusUnprocessableEntity, "problem %s: %v", name, err)
		}
	}
	return k.openPack(ctx, source, dir)
}

// openPack opens the package of a source, and closes it and removes dir after an error.
func (k *Problems) openPack(ctx context.Context, source *problem.Source, dir string) (*pack, error) {
	mark := markOf(ctx, source)
	p, err := problem.Open(source)
	if err != nil {
		err = blob.NewProblem(http.StatusUnprocessableEntity, "problem %s: %v", source.ID, err)
		source.Close()
		if dir != "" {
			osfile.RemoveAll(dir)
		}
		return nil, err
	}
	one := &pack{of: k, p: p, dir: dir, mark: mark, looked: time.Now()}
	one.executor = &remote.Executor{Packer: &remote.Packer{Judge: k.Judge, Send: one.send}, Pool: k.Pool}
	one.doubt = k.Doubt
	return one, nil
}

// look reads the list of the packages in the folder again if it may be old.
func (k *Problems) look() error {
	if k.Folder == "" || time.Since(k.looked) < lookEach {
		return nil
	}
	sources, err := problem.Sources(k.Folder)
	if err != nil {
		return err
	}
	k.looked, k.found = time.Now(), make(map[string]string, len(sources))
	for _, s := range sources {
		k.found[s.ID] = s.Path
		s.Close()
	}
	return nil
}

// ids returns the ids of the packages in the folder.
func (k *Problems) ids() (ids []string) {
	for id := range k.found {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// List returns the problems of the folder and then those that were sent. Only ids,
// digests and names of files are read.
func (k *Problems) List() ([]api.Problem, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.look(); err != nil {
		return nil, err
	}
	all := []api.Problem{}
	for _, id := range k.ids() {
		all = append(all, api.Problem{ID: id})
	}
	entries, err := os.ReadDir(filepath.Join(k.Dir, "packages"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		digest, ok := strings.CutSuffix(e.Name(), ".json")
		if one, err := k.sentAs(digest); ok && err == nil {
			all = append(all, api.Problem{ID: one.ID, Digest: digest})
		}
	}
	return all, nil
}

// sentAs returns the package that was sent with a digest. The error is
// [fs.ErrNotExist] if there is none.
func (k *Problems) sentAs(digest string) (*packageFile, error) {
	data, err := os.ReadFile(k.nameOf(digest))
	if err != nil {
		return nil, err
	}
	one := new(packageFile)
	return one, record.Parse(data, one)
}

func (k *Problems) nameOf(digest string) string {
	return filepath.Join(k.Dir, "packages", digest+".json")
}

// Put keeps the package of a zip that body sends, without its submissions, unless they
// are needed to infer its time limit. The error is a [*blob.Problem] if the bytes do not
// have the digest, or are not a package.
func (k *Problems) Put(ctx context.Context, d blob.Digest, body io.Reader) error {
	if d.Size > maxZip {
		return blob.NewProblem(http.StatusRequestEntityTooLarge, "a zip of %d bytes: expected at most %d", d.Size, maxZip)
	}
	dir, err := os.MkdirTemp(k.Dir, "upload-")
	if err != nil {
		return err
	}
	defer osfile.RemoveAll(dir)
	name := filepath.Join(dir, "package.zip")
	if err := receive(name, d, body); err != nil {
		return err
	}
	one, err := k.store(ctx, name)
	if err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return blob.NewProblem(http.StatusUnprocessableEntity, "%s",
			strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), ""))
	}
	if one.ID == "" {
		one.ID = "package-" + d.Hash[:12]
	}
	data, err := record.Append(nil, one, false)
	if err != nil {
		return err
	}
	return osfile.WriteAtomic(k.nameOf(d.String()), data)
}

// receive writes a body with a digest to a file.
func receive(name string, d blob.Digest, body io.Reader) error {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	found, err := blob.OfReader(io.TeeReader(io.LimitReader(body, d.Size+1), f))
	if err = errors.Join(err, f.Close()); errors.As(err, new(*blob.Problem)) {
		return err
	} else if err != nil {
		return blob.NewProblem(http.StatusBadRequest, "the body ends after %d bytes: %v", found.Size, err)
	}
	if found != d {
		return blob.NewProblem(http.StatusUnprocessableEntity, "the body has digest %s: expected %s", found, d)
	}
	return nil
}

// store checks the package in a zip and stores its files.
func (k *Problems) store(ctx context.Context, name string) (*packageFile, error) {
	source, err := problem.OpenZip(name)
	if err != nil {
		return nil, err
	}
	defer source.Close()
	p, err := problem.Open(source)
	if err != nil {
		return nil, err
	}
	if p.Grader != nil {
		return nil, errors.New("the package has a grader of its own, which would run on the server: expected none")
	}
	listing, err := source.Files(ctx)
	if err != nil {
		return nil, err
	}
	tree := new(blob.Tree)
	for _, f := range listing.Files {
		if p.Limits.Time > 0 && strings.HasPrefix(f.Name, "submissions/") {
			continue
		}
		var d blob.Digest
		err := listing.CopyFile(f, func(r io.Reader) (err error) {
			d, err = k.Store.Put(ctx, r)
			return err
		})
		if err != nil {
			return nil, err
		}
		tree.Files = append(tree.Files, blob.File{Path: f.Name, Digest: d, Executable: f.Executable})
	}
	one := &packageFile{ID: source.Zip.Prefix}
	one.Tree, err = k.Store.PutTree(ctx, tree)
	return one, err
}

// extract returns a package that was sent, in a new folder.
func (k *Problems) extract(ctx context.Context, digest string) (_ *problem.Source, dir string, err error) {
	missing := blob.NewProblem(http.StatusNotFound,
		"package %s was not sent, or had to make room for others: send it with PUT /v1/packages/%s", digest, digest)
	one, err := k.sentAs(digest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", missing
	} else if err != nil {
		return nil, "", err
	}
	if dir, err = os.MkdirTemp(k.Dir, "open-"); err != nil {
		return nil, "", err
	}
	defer func() {
		if err != nil {
			osfile.RemoveAll(dir)
		}
	}()
	in := filepath.Join(dir, "package")
	if err = k.Store.Extract(ctx, one.Tree, in); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = missing
		}
		return nil, "", err
	}
	source, err := problem.Folder(in)
	if err == nil {
		err = source.ShowAs(one.ID, one.ID, []problem.Place{{Dir: one.ID}})
	}
	return source, dir, err
}

// Close closes all packages that no judgement uses.
func (k *Problems) Close() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for name, p := range k.open {
		delete(k.open, name)
		p.gone = true
		p.removeUnused()
	}
}

// markOf returns a text that changes when files of a package change: their names, sizes
// and times.
func markOf(ctx context.Context, source *problem.Source) string {
	listing, err := source.Files(ctx)
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	for _, f := range listing.Files {
		if info, err := source.Stat(f.Name); err == nil {
			fmt.Fprintln(&b, f.Name, info.Size(), info.ModTime().UnixNano(), info.Mode())
		}
	}
	return blob.Of([]byte(b.String())).Hash
}

// describe returns the description of an open package.
func (p *pack) describe() *api.Problem {
	d := &api.Problem{ID: p.p.ID, Names: p.p.Names, Languages: p.p.Languages, TimeLimit: p.limit().Seconds(),
		Memory: p.p.Limits.Memory}
	for _, t := range p.p.Types {
		d.Types = append(d.Types, string(t))
	}
	for _, c := range p.p.Cases {
		d.Cases = append(d.Cases, c.Name)
		if c.Sample() {
			d.Samples = append(d.Samples, c.Name)
		}
	}
	return d
}

// trim closes the packages that were not used for the longest time if there are too many.
// The caller holds k.mu.
func (k *Problems) trim() {
	var idle []string
	for name, p := range k.open {
		if p.users == 0 {
			idle = append(idle, name)
		}
	}
	slices.SortFunc(idle, func(a, b string) int { return cmp.Compare(k.open[b].used, k.open[a].used) })
	for _, name := range idle[min(maxOpen, len(idle)):] {
		p := k.open[name]
		delete(k.open, name)
		p.gone = true
		p.removeUnused()
	}
}
