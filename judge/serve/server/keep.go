package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
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
// they ended, a line each, and the judgement as the last line. A folder has about a
// thousandth of them.
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
	return osfile.WriteAtomic(s.fileOf(g.ID), b.Bytes())
}

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
	lines := bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
	g := new(api.Judgement)
	return g, lines[:len(lines)-1], json.Unmarshal(lines[len(lines)-1], g)
}

// isEnded reports whether the last line of the file of a judgement is one that has ended.
func (s *Server) isEnded(id string) bool {
	data, err := os.ReadFile(s.fileOf(id))
	if err != nil || !bytes.HasSuffix(data, []byte("\n")) {
		return false
	}
	last := data[bytes.LastIndexByte(data[:len(data)-1], '\n')+1:]
	var g api.Judgement
	return json.Unmarshal(last, &g) == nil && g.Ended != nil
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
