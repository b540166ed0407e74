// Package remote gives work items and their runs the form in which they travel to other
// machines and back.
//
// A [Packer] turns a [judge.WorkItem] into an [Item], whose files are blobs; an [Unpacker] on
// the other machine turns it back. [Stream] writes the runs and [ReceiveLine] reads them, so
// that a report does not depend on where its runs were made.
package remote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"testing/fstest"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/result"
	"crucible/judge/serve/blob"
)

// CallHeader is the header of requests with items that has an id of the call of the judge, the
// same for all of its items.
const CallHeader = "Crucible-Call"

// ItemHeader is the header of answers with the lines of an item that has an id: the client
// asks for more lines with it, if the answer ends before the last line.
const ItemHeader = "Crucible-Item"

// An Item is a [judge.WorkItem] in transit. The digests are of trees, see [blob.Tree].
type Item struct {
	Judge      string         `json:"judge"` // the version of the sender's judge, which decides verdicts
	Problem    Package        `json:"problem"`
	Submission Submission     `json:"submission"`
	Cases      []string       `json:"cases"`            // names, in the problem's order; none only compiles
	Before     []result.Run   `json:"before,omitempty"` // see [judge.WorkItem]
	Avoid      []string       `json:"avoid,omitempty"`  // see [judge.WorkItem]
	Settings   judge.Settings `json:"settings"`
	Class      string         `json:"class,omitzero"` // the machine class of the workers that may execute it; "" means any
	// The only worker that may execute it, because it measures that worker; "" means any. Its
	// runs are made again neither for audits nor for pages.
	Worker string `json:"worker,omitzero"`
}

// A Package is a problem package without its submissions.
type Package struct {
	ID    string          `json:"id"`
	Path  string          `json:"path"`  // of the sender's package, for messages
	Shown []problem.Place `json:"shown"` // see [problem.Source.Shown]
	Tree  blob.Digest     `json:"tree"`
}

// A Submission has its files in a tree of its own, so that a new submission does not
// change the package.
type Submission struct {
	Name     string                `json:"name"`
	Path     string                `json:"path"`            // of its file or folder in the tree
	Inside   bool                  `json:"inside,omitzero"` // it is part of the package, so messages name its path there
	Language string                `json:"language"`        // code; "" if the problem needs none
	Entry    string                `json:"entry,omitzero"`  // see [problem.Submission]
	Expected []problem.Expectation `json:"expected"`
	Files    map[string][]byte     `json:"files,omitempty"` // its files by their paths, if they are small
	Tree     blob.Digest           `json:"tree,omitzero"`   // else
}

// maxInline is the size in bytes of the files of a submission up to which they are part
// of the item, which saves the requests for them.
const maxInline = 24 << 10

// Encode returns the item as JSON.
func (i *Item) Encode() ([]byte, error) { return record.Append(nil, i, false) }

// Decode reads an item that Encode wrote.
func Decode(data []byte) (*Item, error) {
	i := new(Item)
	err := record.Parse(data, i)
	switch {
	case err != nil:
	case len(i.Cases) == 0 && !i.Settings.Alone:
		err = errors.New("no cases: expected one or more")
	case i.Problem.ID == "" || i.Submission.Name == "" || i.Submission.Path == "":
		err = errors.New("the id of the problem, or the name or path of the submission is empty")
	}
	if err != nil {
		return nil, fmt.Errorf("work item: %w", err)
	}
	return i, nil
}

// A Packer makes items of work items. It reads the files of each package once. Its
// methods may be called concurrently.
type Packer struct {
	Judge string // the version of the judge
	Send  Send   // receives the files

	mu       sync.Mutex
	packages map[packageKey]func() (Package, error)
}

// A packageKey is a problem, with its own cases or with one case only.
type packageKey struct {
	p    *problem.Problem
	only *problem.Case // a case with files of its own, as of a generator; nil otherwise
}

// Send makes sure that the receiver has the files and the tree of a folder, which it may
// have already: see [blob.Client.UploadTree] and [blob.Store.PutFolder].
type Send func(context.Context, *blob.Folder) error

// Pack returns the item of a work item after its files have been sent.
func (k *Packer) Pack(ctx context.Context, w *judge.WorkItem) (*Item, error) {
	s := w.Submission
	key := packageKey{p: s.Problem}
	if len(w.Cases) == 1 {
		if _, own := w.Cases[0].FS.(*problem.Source); !own {
			key.only = w.Cases[0]
		}
	}
	of, err := k.packageOf(ctx, key)
	if err != nil {
		return nil, err
	}
	i := &Item{Judge: k.Judge, Problem: of, Before: w.Before, Avoid: w.Avoid, Settings: w.Settings, Submission: Submission{
		Name: s.Name, Path: s.Path, Inside: s.FS == s.Problem.FS, Entry: s.Entry, Expected: s.Expected,
	}}
	if s.Language != nil {
		i.Submission.Language = s.Language.Code
	}
	for _, c := range w.Cases {
		i.Cases = append(i.Cases, c.Name)
	}
	return i, k.addFiles(ctx, s, &i.Submission)
}

// addFiles adds the files of a submission, with the problem's constants inserted.
func (k *Packer) addFiles(ctx context.Context, s *problem.Submission, to *Submission) error {
	files, err := s.Read()
	if err != nil {
		return err
	}
	to.Files = make(map[string][]byte, len(files))
	folder, size := make(fstest.MapFS, len(files)), 0
	for name, data := range files {
		at := s.Path
		if s.IsFolder {
			at += "/" + name
		}
		to.Files[at] = data
		folder[at] = &fstest.MapFile{Data: data}
		size += len(data)
	}
	if size <= maxInline {
		return nil
	}
	f, err := blob.FolderOf(ctx, folder)
	if err != nil {
		return err
	}
	to.Files, to.Tree = nil, f.Tree
	return k.Send(ctx, f)
}

// packageOf sends the files of a package. Calls for one package wait for the first one.
func (k *Packer) packageOf(ctx context.Context, key packageKey) (Package, error) {
	k.mu.Lock()
	once := k.packages[key]
	if once == nil {
		if k.packages == nil {
			k.packages = make(map[packageKey]func() (Package, error))
		}
		once = sync.OnceValues(func() (Package, error) { return k.sendPackage(ctx, key) })
		k.packages[key] = once
	}
	k.mu.Unlock()
	of, err := once()
	if err != nil { // perhaps because the context of another caller has ended
		k.mu.Lock()
		delete(k.packages, key)
		k.mu.Unlock()
		if ctx.Err() == nil && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {
			return k.packageOf(ctx, key)
		}
	}
	return of, err
}

func (k *Packer) sendPackage(ctx context.Context, key packageKey) (Package, error) {
	p := key.p
	of := Package{ID: p.ID, Path: p.Path, Shown: []problem.Place{{Dir: cmp.Or(p.Path, p.ID)}}}
	source, ok := p.FS.(*problem.Source)
	if !ok {
		return of, fmt.Errorf("%s: its files are in a %T: expected a package that was opened from a folder or a zip", p.ID,
			p.FS)
	}
	of.Shown = source.Shown()
	listing, err := source.Files(ctx)
	if err != nil {
		return of, err
	}
	var files []blob.File
	for _, f := range listing.Files {
		if !strings.HasPrefix(f.Name, "submissions/") && (key.only == nil || !isData(f.Name)) {
			files = append(files, blob.File{Path: f.Name, Executable: f.Executable})
		}
	}
	fsys := p.FS
	if key.only != nil {
		fsys = dataFS{p.FS, key.only.FS}
		err = fs.WalkDir(key.only.FS, "data", func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				files = append(files, blob.File{Path: name})
			}
			return err
		})
	}
	if err != nil {
		return of, err
	}
	f, err := blob.FolderOfFiles(ctx, fsys, files)
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		err = problem.Unreadable(p.FS, pe.Path, pe.Err)
	}
	if err != nil {
		return of, err
	}
	of.Tree = f.Tree
	return of, k.Send(ctx, f)
}

// isData reports whether a file is one of the test data.
func isData(name string) bool { return strings.HasPrefix(name, "data/") }

// A dataFS is a package whose test data are those of another file system.
type dataFS struct {
	fs.FS
	data fs.FS
}

// Open opens a file.
func (d dataFS) Open(name string) (fs.File, error) {
	if isData(name) {
		return d.data.Open(name)
	}
	return d.FS.Open(name)
}
