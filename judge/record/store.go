package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"crucible/judge"
	"crucible/judge/internal/osfile"
)

// A Store keeps runs in a folder. It implements [judge.Store]. It ignores errors of
// files: runs that cannot be read or kept are made again.
type Store struct {
	folder  string
	machine Machine
	judge   string

	mu    sync.Mutex
	files map[string]map[string]*storeLine // by name of the file, by key; nil if not read yet
}

// OpenStore returns the store in a folder, which need not exist. It removes files that were
// not used for a month.
func OpenStore(folder string) *Store {
	prune(folder)
	return &Store{folder: folder, machine: ThisMachine(), judge: judge.Identity(),
		files: make(map[string]map[string]*storeLine)}
}

// A line is a stored run. It has the fields of a run that records omit.
type storeLine struct {
	Key        string    `json:"key"`
	At         time.Time `json:"at"`
	Run        judge.Run `json:"run"`
	Score      *float64  `json:"validator_score"`
	Multiplier *float64  `json:"validator_multiplier"`
	Message    string    `json:"judgemessage"`
}

// Load implements [judge.Store].
func (s *Store) Load(k *judge.Key) (*judge.Run, time.Time, bool) {
	file, key := s.places(k)
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.read(file)[key]
	if l == nil {
		return nil, time.Time{}, false
	}
	run := l.Run
	run.Score, run.Multiplier, run.Message = l.Score, l.Multiplier, l.Message
	return &run, l.At, true
}

// Save implements [judge.Store].
func (s *Store) Save(k *judge.Key, run *judge.Run) {
	file, key := s.places(k)
	l := &storeLine{key, time.Now().UTC(), *run, run.Score, run.Multiplier, run.Message}
	text, err := Append(nil, l, true)
	if err != nil {
		return
	}
	text = append([]byte("\n"+checksum(text)+" "), append(text, '\n')...)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.read(file)[key] = l
	name := filepath.Join(s.folder, file)
	if os.MkdirAll(filepath.Dir(name), 0o755) != nil {
		return
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_APPEND|osfile.NoFollow, 0o644)
	if err != nil {
		return
	}
	defer f.Close()
	f.Write(text)
}

// places returns the name of the file for a key, below the folder, and the key's hash.
func (s *Store) places(k *judge.Key) (file, key string) {
	whole := Key{Key: *k, Machine: s.machine, Judge: s.judge}
	key = whole.Hash()
	whole.Args, whole.Input, whole.Answer, whole.Validators = nil, "", "", nil
	file = whole.Hash()
	return filepath.Join(file[:2], file+".jsonl"), key
}

// read returns the runs in a file, by key. Callers hold s.mu.
func (s *Store) read(file string) map[string]*storeLine {
	if found := s.files[file]; found != nil {
		return found
	}
	found := make(map[string]*storeLine)
	s.files[file] = found
	name := filepath.Join(s.folder, file)
	text, err := os.ReadFile(name)
	if err != nil {
		return found
	}
	for part := range bytes.SplitSeq(text, []byte("\n")) {
		sum, rest, ok := bytes.Cut(part, []byte(" "))
		if l := new(storeLine); ok && string(sum) == checksum(rest) && Parse(rest, l) == nil {
			found[l.Key] = l
		}
	}
	now := time.Now() // of last use, for prune
	os.Chtimes(name, now, now)
	return found
}

func checksum(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// unused is the time after which a file that was not read is removed.
const unused = 30 * 24 * time.Hour

func prune(folder string) {
	filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil
		}
		if info, err := d.Info(); err == nil && time.Since(info.ModTime()) > unused {
			os.Remove(name)
		}
		return nil
	})
}
