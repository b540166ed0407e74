package server

import (
	"archive/zip"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path"
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
	"crucible/judge/serve/server/queue"
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
	Folder string        // a repository, a package or a folder of packages; "" for none
	Dir    string        // has the files of packages that are open, or arrive
	Store  *blob.Store   // has the files of packages that were sent
	Peers  *Peers        // have the files that Store lacks; nil if there are none
	Sent   *queue.Bucket // lists the packages that were sent, by digest: [PackageBucket] of the servers
	Judge  string        // the version of the judge
	Pool   remote.Pool   // makes the runs
	Doubt  float64       // see [judge.Judge]
	Disk   int64         // bytes of the files of open packages that were sent; 0 is no limit
	// Durable writes a package that was sent, and the files of a judgement, to the disk before
	// they are accepted.
	Durable bool

	// Limits of packages that are sent, and of the time in which any is opened. A field that
	// is 0 has its value of [DefaultPackage].
	Package PackageLimits

	mu      sync.Mutex
	open    map[string]*pack    // by id or digest
	opening map[string]*opening // by id or digest
	clock   int
	tasks   sync.WaitGroup // openings and removals
	opened  int64          // bytes of the files of open packages
	leaving int64          // bytes of those that are being removed

	looking sync.Mutex
	found   map[string]string // paths by id, of the packages in Folder; replaced and never changed
	looked  time.Time         // when found was read
}

// PackageLimits bound a package.
type PackageLimits struct {
	Bytes int64 // of its files
	Cases int
	Time  time.Duration // to open it
}

// DefaultPackage are the limits of packages of a server that sets none.
var DefaultPackage = PackageLimits{Bytes: 2 << 30, Cases: 20_000, Time: time.Minute}

func (k *Problems) limits() PackageLimits {
	return PackageLimits{cmp.Or(k.Package.Bytes, DefaultPackage.Bytes), cmp.Or(k.Package.Cases, DefaultPackage.Cases),
		cmp.Or(k.Package.Time, DefaultPackage.Time)}
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

// PackageBucket is the bucket with the packages that clients have sent to any of the servers.
const PackageBucket = "packages"

// A sentPackage is a package that a client sent, as [PackageBucket] has it.
type sentPackage struct {
	ID   string      `json:"id"`
	Tree blob.Digest `json:"tree"`
	By   []string    `json:"by,omitempty"` // the names of the clients that have sent it
}

// Find returns an open package, by its id or its digest. The caller must close it. The
// error is a [*blob.Problem] if there is none, or if it has defects.
func (k *Problems) Find(ctx context.Context, name string) (*pack, error) {
	return k.get(ctx, name, func(ctx context.Context, old *pack) (*pack, error) {
		if old != nil && old.current(ctx) {
			return old, nil
		}
		return k.openNew(ctx, name)
	})
}

// An opening is a package that is being opened.
type opening struct {
	waiting int           // how many wait; guarded by mu of Problems
	done    chan struct{} // closed when the fields below are set
	p       *pack         // with a use for each that waits
	err     error
}

// get returns an open package, which the caller must close. If there is none of that name,
// or its files may have changed, it is opened, once for all that ask for it meanwhile.
// Other packages do not wait for that.
func (k *Problems) get(ctx context.Context, name string,
	open func(ctx context.Context, old *pack) (*pack, error)) (*pack, error) {
	k.mu.Lock()
	if p := k.open[name]; p != nil && !p.isOld() {
		p.users++
		k.mu.Unlock()
		return p, nil
	}
	o := k.opening[name]
	if o == nil {
		o = &opening{done: make(chan struct{})}
		if k.opening == nil {
			k.open, k.opening = make(map[string]*pack), make(map[string]*opening)
		}
		k.opening[name] = o
		k.tasks.Go(func() { k.end(name, o, open) })
	}
	o.waiting++
	k.mu.Unlock()
	late := time.NewTimer(k.limits().Time)
	defer late.Stop()
	var err error
	select {
	case <-o.done:
		return o.p, o.err
	case <-ctx.Done():
		err = context.Cause(ctx)
	case <-late.C:
		err = k.tooLong()
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	select {
	case <-o.done:
		return o.p, o.err
	default:
		o.waiting--
		return nil, err
	}
}

func (k *Problems) tooLong() error {
	return blob.NewProblem(http.StatusRequestEntityTooLarge, "the package takes more than %v to open", k.limits().Time)
}

// end opens a package and ends its opening.
func (k *Problems) end(name string, o *opening, open func(context.Context, *pack) (*pack, error)) {
	ctx, cancel := context.WithTimeout(context.Background(), k.limits().Time)
	defer cancel()
	k.mu.Lock()
	old := k.open[name]
	if old != nil {
		old.users++
	}
	k.mu.Unlock()
	p, err := open(ctx, old)
	if ctx.Err() != nil && err != nil {
		err = k.tooLong()
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if old != nil {
		if old.users--; old != p {
			k.drop(name)
		}
		old.removeUnused()
	}
	if err == nil {
		k.open[name], p.looked = p, time.Now()
		p.users += o.waiting
		k.trim()
	}
	delete(k.opening, name)
	o.p, o.err = p, err
	close(o.done)
}

// drop closes a package when its last use has ended. The caller holds k.mu.
func (k *Problems) drop(name string) {
	if p := k.open[name]; p != nil {
		delete(k.open, name)
		p.gone = true
		p.removeUnused()
	}
}

// openNew opens a package.
func (k *Problems) openNew(ctx context.Context, name string) (*pack, error) {
	var source *problem.Source
	var dir string
	var size int64
	var tree blob.Digest
	if _, err := blob.Parse(name); err == nil {
		one, err := k.sentAs(ctx, name)
		if err == nil {
			tree = one.Tree
			source, dir, size, err = k.extract(ctx, one)
		}
		if errors.Is(err, fs.ErrNotExist) {
			err = blob.NewProblem(http.StatusNotFound,
				"package %s was not sent, or had to make room for others: send it with PUT /v1/packages/%s", name, name)
		}
		if err != nil {
			return nil, err
		}
	} else {
		found, err := k.look()
		if err != nil {
			return nil, err
		}
		where, ok := found[name]
		if !ok {
			hint := terminal.DidYouMean(name, slices.Sorted(maps.Keys(found)))
			return nil, blob.NewProblem(http.StatusNotFound, "problem %q: found none of that id or digest%s", name, hint)
		}
		if source, err = problem.Locate(where); err != nil {
			return nil, blob.NewProblem(http.StatusUnprocessableEntity, "problem %s: %s", name, k.hide(err.Error()))
		}
	}
	p, err := k.openPack(ctx, source, dir)
	if err != nil {
		k.give(size)
		return nil, err
	}
	p.bytes, p.tree = size, tree
	return p, nil
}

// take reserves room for the files of a package. Packages that nobody uses make room, those
// that were not used for the longest time first. The error is a [*blob.Problem].
func (k *Problems) take(ctx context.Context, bytes int64) error {
	for {
		k.mu.Lock()
		if k.Disk == 0 || k.opened+bytes <= k.Disk {
			k.opened += bytes
			k.mu.Unlock()
			return nil
		}
		var oldest string
		for name, p := range k.open {
			if p.users == 0 && p.bytes > 0 && (oldest == "" || p.used < k.open[oldest].used) {
				oldest = name
			}
		}
		if oldest != "" {
			k.drop(oldest)
		} else if k.leaving == 0 {
			defer k.mu.Unlock()
			return blob.NewProblem(http.StatusInsufficientStorage,
				"packages of %s are open: expected room for %s more, of %s in all", terminal.Bytes(k.opened),
				terminal.Bytes(bytes), terminal.Bytes(k.Disk))
		}
		k.mu.Unlock()
		select {
		case <-time.After(5 * time.Millisecond): // until what leaves is removed
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// give ends that.
func (k *Problems) give(bytes int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.opened -= bytes
}

// openPack opens the package of a source, and closes it and removes dir after an error.
func (k *Problems) openPack(ctx context.Context, source *problem.Source, dir string) (*pack, error) {
	mark := markOf(ctx, source)
	p, err := problem.Open(source)
	if err != nil {
		err = blob.NewProblem(http.StatusUnprocessableEntity, "problem %s: %s", source.ID, k.hide(err.Error()))
		source.Close()
		if dir != "" {
			osfile.RemoveAll(dir)
		}
		return nil, err
	}
	one := &pack{of: k, p: p, dir: dir, mark: mark}
	one.executor = &remote.Executor{Packer: &remote.Packer{Judge: k.Judge, Send: one.send}, Pool: k.Pool}
	one.doubt = k.Doubt
	return one, nil
}

// look returns the paths of the packages in the folder by id. It reads the list again if it
// may be old.
func (k *Problems) look() (map[string]string, error) {
	k.looking.Lock()
	defer k.looking.Unlock()
	if k.Folder == "" || time.Since(k.looked) < lookEach {
		return k.found, nil
	}
	sources, err := problem.Sources(k.Folder)
	if err != nil {
		return nil, err
	}
	k.looked, k.found = time.Now(), make(map[string]string, len(sources))
	for _, s := range sources {
		k.found[s.ID] = s.Path
		s.Close()
	}
	return k.found, nil
}

// Has reports whether the folder has a problem of an id.
func (k *Problems) Has(id string) bool {
	found, err := k.look()
	return err == nil && found[id] != ""
}

// List returns the problems of the folder and then those that were sent. Only ids,
// digests and names of files are read.
func (k *Problems) List(ctx context.Context) ([]api.Problem, error) {
	found, err := k.look()
	if err != nil {
		return nil, err
	}
	all := []api.Problem{}
	for _, id := range slices.Sorted(maps.Keys(found)) {
		all = append(all, api.Problem{ID: id})
	}
	digests, err := k.Sent.Keys(ctx)
	if err != nil {
		return nil, err
	}
	slices.Sort(digests)
	for _, digest := range digests {
		if one, err := k.sentAs(ctx, digest); err == nil {
			all = append(all, api.Problem{ID: one.ID, Digest: digest})
		}
	}
	return all, nil
}

// sentAs returns the package that was sent with a digest. The error is
// [fs.ErrNotExist] if there is none.
func (k *Problems) sentAs(ctx context.Context, digest string) (*sentPackage, error) {
	data, _, err := k.Sent.Get(ctx, digest)
	if err != nil {
		return nil, err
	}
	one := new(sentPackage)
	return one, record.Parse(data, one)
}

// Put keeps the package of a zip that a client sends as a body, without its submissions,
// unless they are needed to infer its time limit. The error is a [*blob.Problem] if the
// bytes do not have the digest, or are not a package.
func (k *Problems) Put(ctx context.Context, by string, d blob.Digest, body io.Reader) error {
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
	ctx, cancel := context.WithTimeoutCause(ctx, k.limits().Time, k.tooLong())
	defer cancel()
	one, err := k.store(ctx, name)
	if errors.As(err, new(*blob.Problem)) {
		return err
	} else if err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if osfile.IsFull(err) || errors.Is(err, blob.ErrFull) {
			return err
		}
		text := strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), "")
		return blob.NewProblem(http.StatusUnprocessableEntity, "%s", k.hide(text))
	}
	if one.ID == "" {
		one.ID = "package-" + d.Hash[:12]
	}
	err = k.Sent.Change(ctx, d.String(), func(old []byte) ([]byte, error) {
		one.By = []string{by}
		var before sentPackage
		if old == nil {
			if err := hasRoom(k.Sent, "packages"); err != nil {
				return nil, err
			}
		} else if record.Parse(old, &before) == nil {
			one.By = slices.Compact(slices.Sorted(slices.Values(append(before.By, by))))
		}
		return record.Append(nil, one, false)
	})
	if err == nil && k.Durable {
		err = k.Store.Sync()
	}
	return err
}

// receive writes a body with a digest to a file.
func receive(name string, d blob.Digest, body io.Reader) error {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	found, err := blob.OfReader(io.TeeReader(io.LimitReader(body, d.Size+1), f))
	if err = errors.Join(err, f.Close()); errors.As(err, new(*blob.Problem)) || errors.As(err, new(*fs.PathError)) {
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
func (k *Problems) store(ctx context.Context, name string) (*sentPackage, error) {
	if err := k.checkZip(name); err != nil {
		return nil, err
	}
	source, err := problem.OpenZip(name)
	if err != nil {
		return nil, err
	}
	defer source.Close()
	listing, err := source.Files(ctx) // links in the zip can make more of it
	if err != nil {
		return nil, err
	}
	size := packageSize{limits: k.limits()}
	for _, f := range listing.Files {
		if err := size.add(f.Name, uint64(f.Size)); err != nil {
			return nil, err
		}
	}
	p, err := problem.Open(source)
	if err != nil {
		return nil, err
	}
	if len(p.Cases) > size.limits.Cases {
		return nil, size.tooMany()
	}
	if p.Grader != nil {
		return nil, errors.New("the package has a grader of its own, which would run on the server: expected none")
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
	one := &sentPackage{ID: source.Zip.Prefix}
	one.Tree, err = k.Store.PutTree(ctx, tree)
	return one, err
}

// A packageSize is the sum of the files of a package.
type packageSize struct {
	limits PackageLimits
	bytes  uint64
	cases  int
}

// add adds a file. The error is a [*blob.Problem] if the package is too large.
func (s *packageSize) add(name string, bytes uint64) error {
	if s.bytes += bytes; bytes > uint64(s.limits.Bytes) || s.bytes > uint64(s.limits.Bytes) {
		return blob.NewProblem(http.StatusRequestEntityTooLarge, "the package has more than %s of files",
			terminal.Bytes(s.limits.Bytes))
	}
	if path.Ext(name) == ".in" && strings.Contains("/"+name, "/data/") {
		s.cases++
	}
	if s.cases > s.limits.Cases {
		return s.tooMany()
	}
	return nil
}

func (s *packageSize) tooMany() error {
	return blob.NewProblem(http.StatusRequestEntityTooLarge, "the package has more than %d test cases", s.limits.Cases)
}

// maxDirectory is the size in bytes of the directory of a zip.
const maxDirectory = 64 << 20

// checkZip returns an error for a zip whose directory says that it is too large. The
// directory is bounded, too.
func (k *Problems) checkZip(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	limited := &limitedReaderAt{f, maxDirectory}
	z, err := zip.NewReader(limited, info.Size())
	if limited.left < 0 {
		return blob.NewProblem(http.StatusRequestEntityTooLarge, "the directory of the zip has more than %s",
			terminal.Bytes(maxDirectory))
	}
	if err != nil {
		return nil // opening it says why
	}
	size := packageSize{limits: k.limits()}
	for _, f := range z.File {
		if err := size.add(f.Name, f.UncompressedSize64); err != nil {
			return err
		}
	}
	return nil
}

// A limitedReaderAt ends after some bytes.
type limitedReaderAt struct {
	io.ReaderAt
	left int64
}

func (r *limitedReaderAt) ReadAt(p []byte, at int64) (int, error) {
	if r.left -= int64(len(p)); r.left < 0 {
		return 0, io.ErrUnexpectedEOF
	}
	return r.ReaderAt.ReadAt(p, at)
}

// extract returns a package that was sent, in a new folder. The error is [fs.ErrNotExist] if
// files of it are missing.
func (k *Problems) extract(ctx context.Context, one *sentPackage) (_ *problem.Source, dir string, size int64,
	err error) {
	tree, lease, err := k.Peers.tree(ctx, k.Store, one.Tree)
	if err != nil {
		return nil, "", 0, err
	}
	defer lease.Release()
	for _, f := range tree.Files {
		size += f.Digest.Size
	}
	if err := k.take(ctx, size); err != nil {
		return nil, "", 0, err
	}
	defer func() {
		if err != nil {
			k.give(size)
		}
	}()
	if dir, err = os.MkdirTemp(k.Dir, "open-"); err != nil {
		return nil, "", 0, err
	}
	defer func() {
		if err != nil {
			osfile.RemoveAll(dir)
		}
	}()
	in := filepath.Join(dir, "package")
	err = k.Store.Extract(ctx, one.Tree, in)
	if k.Peers != nil && errors.Is(err, fs.ErrNotExist) { // a damaged file is removed when it is read
		if err = k.Peers.fetch(ctx, k.Store, tree.Digests()...); err == nil {
			err = k.Store.Extract(ctx, one.Tree, in)
		}
	}
	if err != nil {
		return nil, "", 0, err
	}
	source, err := problem.Folder(in)
	if err == nil {
		err = source.ShowAs(one.ID, one.ID, []problem.Place{{Dir: one.ID}})
	}
	return source, dir, size, err
}

// Close closes all packages that no judgement uses.
func (k *Problems) Close() {
	k.mu.Lock()
	for name := range k.open {
		k.drop(name)
	}
	k.mu.Unlock()
	k.tasks.Wait()
}

// hide returns a text without the paths of this machine to the packages.
func (k *Problems) hide(text string) string {
	for _, dir := range []string{k.Folder, k.Dir} {
		if dir != "" {
			text = strings.ReplaceAll(text, dir+string(filepath.Separator), "")
			text = strings.ReplaceAll(text, dir, filepath.Base(dir))
		}
	}
	return text
}

// A hiddenError is an error whose text has no paths.
type hiddenError struct {
	error
	text string
}

// Error implements error.
func (e *hiddenError) Error() string { return e.text }

// Unwrap returns the error with paths.
func (e *hiddenError) Unwrap() error { return e.error }

// hideError returns an error whose text has no paths of this machine to the packages.
func (k *Problems) hideError(err error) error {
	if err == nil {
		return nil
	}
	return &hiddenError{err, k.hide(err.Error())}
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
		k.drop(name)
	}
}
