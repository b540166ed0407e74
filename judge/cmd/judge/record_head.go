package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"crucible/judge/history"
	"crucible/judge/problem"
	"crucible/judge/report"
)

// headOf is what is known of a call when it begins. All that judging will read
// is read for its hashes: once, which is less than any submission reads.
func headOf(c *cobra.Command, args []string, m report.Machine, choices []*choice) history.Head {
	h := history.Head{
		Judge: version(), Command: c.Name(), Args: append([]string{}, args...), Flags: []string{}, Env: []string{},
		Machine: report.JSONOfMachine(m), Problems: make([]history.Problem, len(choices)),
	}
	h.Folder, _ = os.Getwd()
	h.Host, _ = os.Hostname()
	c.Flags().Visit(func(f *pflag.Flag) { h.Flags = append(h.Flags, "--"+f.Name+"="+f.Value.String()) })
	for _, setting := range os.Environ() {
		if strings.HasPrefix(setting, "CRUCIBLE_") {
			h.Env = append(h.Env, setting)
		}
	}
	slices.Sort(h.Env)
	for i, one := range choices {
		h.Problems[i] = one.recorded(args)
	}
	return h
}

// version is that of the judge's own source, as far as the build tells.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	text := info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			text += " " + s.Value
		}
	}
	return strings.TrimSpace(text)
}

// recorded is what is stored of a choice before anything of it is run.
func (c *choice) recorded(args []string) history.Problem {
	p := history.Problem{
		ID: c.problem.ID, Path: c.problem.Path, Format: c.problem.Version, Limits: report.JSONOfLimits(c.problem.Limits),
		Cases: make([]history.Case, len(c.cases)), Submissions: make([]history.Source, len(c.submissions)),
	}
	h := hasher{fsys: c.source, listed: make(map[string]map[string]fs.FileMode), buffer: make([]byte, 64<<10), file: sha256.New()}
	all := sha256.New()
	for i, k := range c.cases {
		p.Cases[i] = history.Case{Name: k.Name, Data: h.ofCase(k)}
		fmt.Fprintf(all, "%q %s\n", k.Name, p.Cases[i].Data)
	}
	p.Data = digits(all)
	if slices.ContainsFunc(p.Cases, func(k history.Case) bool { return k.Data == "" }) {
		p.Data = ""
	}
	for i, s := range c.submissions {
		p.Submissions[i] = history.Source{Name: s.Name, Source: h.ofSource(s, args)}
		if s.Language != nil {
			p.Submissions[i].Language = s.Language.Code
		}
	}
	return p
}

// digits is how hashes are written: 128 bits of it.
func digits(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)[:16]) }

// A hasher makes hashes of files, of which there may be many small ones.
type hasher struct {
	fsys   fs.FS
	listed map[string]map[string]fs.FileMode // types of files, by folder and name
	buffer []byte
	file   hash.Hash
}

// ofCase is the hash of all of a case that its runs and their checks read; "" if
// it cannot be read.
func (h *hasher) ofCase(k *problem.Case) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%q %q\n", k.Args, k.OutputValidatorArgs)
	dir, base := path.Split("data/" + k.Name)
	for _, ext := range []string{".in", ".ans", ".files"} {
		kind, there := h.in(dir)[base+ext]
		if !there {
			continue
		}
		add := h.add
		if kind.IsRegular() {
			add = h.addFile // most are, and need not be asked
		}
		if err := add(sum, dir+base+ext, ext); err != nil {
			return ""
		}
	}
	return digits(sum)
}

// in returns what a folder of cases holds. It is read once.
func (h *hasher) in(dir string) map[string]fs.FileMode {
	kinds, known := h.listed[dir]
	if !known {
		kinds = make(map[string]fs.FileMode)
		entries, _ := fs.ReadDir(h.fsys, path.Clean(dir))
		for _, e := range entries {
			kinds[e.Name()] = e.Type()
		}
		h.listed[dir] = kinds
	}
	return kinds
}

// ofSource is the hash of a submission's files; "" if they cannot be read. One
// that is not the package's own is among the arguments.
func (h *hasher) ofSource(s *problem.Submission, args []string) string {
	of := *h
	if !strings.HasPrefix(s.Path, "submissions/") {
		i := slices.IndexFunc(args, func(arg string) bool { return filepath.Base(arg) == s.Name })
		if i < 0 {
			return ""
		}
		of.fsys = os.DirFS(filepath.Dir(args[i]))
	}
	sum := sha256.New()
	if err := of.add(sum, s.Path, path.Base(s.Path)); err != nil {
		return ""
	}
	return digits(sum)
}

// deepest bounds how far folders are followed: links may lead around.
const deepest = 32

// add adds a file, or a folder and all below it, to a hash, as label.
func (h *hasher) add(to hash.Hash, name, label string) error {
	// Asked before it is opened: to open a pipe would wait for its other end.
	info, err := fs.Stat(h.fsys, name)
	switch {
	case err != nil:
		return err
	case info.Mode().IsRegular():
		return h.addFile(to, name, label)
	case !info.IsDir() || strings.Count(label, "/") == deepest:
		return fmt.Errorf("%s: expected a file or folder", name)
	}
	entries, err := fs.ReadDir(h.fsys, name)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := h.add(to, name+"/"+e.Name(), label+"/"+e.Name()); err != nil {
			return err
		}
	}
	return nil
}

// maxHashed is the size in bytes of a file up to which all of it is hashed. A
// larger one counts by its size, its time of change and its beginning: 3 GiB took
// 32 s to read before a program of 2 ms was run. A copy of such a file, which has
// another time, counts as different.
const maxHashed = 64 << 20

func (h *hasher) addFile(to hash.Hash, name, label string) error {
	f, err := h.fsys.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	h.file.Reset()
	var from io.Reader = f
	if info, err := f.Stat(); err != nil {
		return err
	} else if info.Size() > maxHashed {
		fmt.Fprintf(h.file, "%d %d\n", info.Size(), info.ModTime().UnixNano())
		from = io.LimitReader(f, 1<<20)
	}
	for {
		n, err := from.Read(h.buffer)
		h.file.Write(h.buffer[:n])
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	fmt.Fprintf(to, "%q %x\n", label, h.file.Sum(nil))
	return nil
}
