package server

import (
	"sync"

	"crucible/judge/record"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/server/queue"
)

// mostTrees is the number of trees that a worker may read: those of its last items.
const mostTrees = 256

// Grants know which blobs each worker may read: the trees of its last items, and their
// files.
type Grants struct {
	Store *blob.Store // has the trees

	mu      sync.Mutex
	workers map[string]*treeGrant
}

// treeGrant are the trees of a worker.
type treeGrant struct {
	order []blob.Digest // the oldest first
	files map[blob.Digest]map[blob.Digest]bool
}

// Leased lets a worker read the files of an item. See [queue.Options].
func (g *Grants) Leased(worker string, it *queue.Item) {
	type tree struct {
		Tree blob.Digest `json:"tree"`
	}
	var i struct { // the parts of [remote.Item] that matter here
		Problem    tree `json:"problem"`
		Submission tree `json:"submission"`
	}
	if record.Parse(it.Payload, &i) != nil {
		return // the worker refuses it
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.workers == nil {
		g.workers = make(map[string]*treeGrant)
	}
	w := g.workers[worker]
	if w == nil {
		w = &treeGrant{files: make(map[blob.Digest]map[blob.Digest]bool)}
		g.workers[worker] = w
	}
	for _, tree := range []blob.Digest{i.Problem.Tree, i.Submission.Tree} {
		if _, known := w.files[tree]; known || tree == (blob.Digest{}) {
			continue
		}
		w.files[tree] = nil // read when the worker asks for a file
		if w.order = append(w.order, tree); len(w.order) > mostTrees {
			delete(w.files, w.order[0])
			w.order = w.order[1:]
		}
	}
}

// reads reports whether a worker may read a blob.
func (g *Grants) reads(worker string, d blob.Digest) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	w := g.workers[worker]
	if w == nil {
		return false
	}
	if _, ok := w.files[d]; ok {
		return true
	}
	for _, tree := range w.order {
		files := w.files[tree]
		if files == nil {
			t, err := g.Store.Tree(tree)
			if err != nil {
				continue // it is not in the store, so neither worker nor server know its files
			}
			files = make(map[blob.Digest]bool)
			for _, one := range t.Digests() {
				files[one] = true
			}
			w.files[tree] = files
		}
		if files[d] {
			return true
		}
	}
	return false
}

// unread returns the trees of a worker whose files are not known yet.
func (g *Grants) unread(worker string) (trees []blob.Digest) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if w := g.workers[worker]; w != nil {
		for _, tree := range w.order {
			if w.files[tree] == nil {
				trees = append(trees, tree)
			}
		}
	}
	return trees
}
