package server

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"crucible/judge/internal/osfile"
	"crucible/judge/serve/api"
)

// judgementID matches the ids of judgements, which are names of files.
var judgementID = regexp.MustCompile(`^[A-Z2-7]{26}$`)

// fileOf returns the file of a judgement that has ended: its runs in the order in which
// they ended, a line each, the judgement, and a checksum of all before it. A folder has about
// a thousandth of them.
func (s *Server) fileOf(id string) string {
	return filepath.Join(s.Problems.Dir, "judgements", id[:2], id+".jsonl")
}

// keep writes a judgement that has ended.
func (s *Server) keep(g *api.Judgement, runs [][]byte) error {
	last, err := json.Marshal(g)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	for _, one := range runs {
		b.Write(one)
		b.WriteByte('\n')
	}
	b.Write(last)
	b.WriteByte('\n')
	fmt.Fprintf(&b, "%x\n", sha256.Sum256(b.Bytes()))
	return osfile.WriteAtomic(s.fileOf(g.ID), b.Bytes())
}

// errDamaged is the error of a judgement whose file is not as it was written.
var errDamaged = errors.New("the disk of the server has changed what it kept of this judgement")

// read returns a judgement that keep wrote, and its runs. The error is [fs.ErrNotExist]
// if there is none.
func (s *Server) read(id string) (*api.Judgement, [][]byte, error) {
	if !judgementID.MatchString(id) {
		return nil, nil, fs.ErrNotExist
	}
	data, err := os.ReadFile(s.fileOf(id))
	if err != nil {
		return nil, nil, err
	}
	const sum = 2*sha256.Size + 1
	body := data[:max(len(data)-sum, 0)]
	lines := bytes.Split(bytes.TrimSuffix(body, []byte("\n")), []byte("\n"))
	g := new(api.Judgement)
	if fmt.Sprintf("%x\n", sha256.Sum256(body)) != string(data[len(body):]) ||
		json.Unmarshal(lines[len(lines)-1], g) != nil {
		return nil, nil, errDamaged
	}
	return g, lines[:len(lines)-1], nil
}

// isEnded reports whether the server has kept a judgement that has ended.
func (s *Server) isEnded(id string) bool {
	g, _, err := s.read(id)
	return err == nil && g.Ended != nil
}

// findLocked returns a judgement: one that is under way, or one that has ended. Both are
// nil if there is none. The caller holds s.judging.
func (s *Server) findLocked(id string) (*judgement, *api.Judgement, error) {
	if g := s.live[id]; g != nil {
		return g, nil, nil
	}
	old, _, err := s.read(id)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	return nil, old, nil
}

// SweepEvery removes the judgements that ended longer than age ago, now and after each
// interval, until ctx ends.
func (s *Server) SweepEvery(ctx context.Context, each, age time.Duration) {
	for {
		if err := s.sweep(age); err != nil {
			s.Log.Error("old judgements are not removed", "error", err)
		}
		select {
		case <-time.After(each):
		case <-ctx.Done():
			return
		}
	}
}

func (s *Server) sweep(age time.Duration) error {
	top := filepath.Join(s.Problems.Dir, "judgements")
	return filepath.WalkDir(top, func(name string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // removed meanwhile, or there are none
		}
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err == nil && time.Since(info.ModTime()) > age {
			err = os.Remove(name)
		}
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return err
	})
}
