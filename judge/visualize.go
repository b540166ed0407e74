package judge

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"

	json "github.com/go-json-experiment/json/v1"

	"crucible/judge/build"
	"crucible/judge/internal/osfile"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
	"crucible/judge/terminal"
)

// A Visualizer makes pictures of cases.
type Visualizer struct {
	Program *problem.Program
	Args    []string
	// Input and answer are testcase.in and testcase.ans in its working folder, and no
	// arguments: the key visualizer of generators.yaml.
	InPlace bool
}

// Limits of the pictures of one case.
const (
	maxImages      = 100
	maxImageBytes  = 8 << 20   // of all pictures of a case together
	maxImageCache  = 256 << 20 // of the pictures that are kept between calls
	imageExtension = `\.(?:png|jpg|jpeg|svg)`
)

// The names of pictures. The bounds make each take a millisecond to compile, so a judge does
// that when it needs them, not when it starts.
var (
	inputImage = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,100}` + imageExtension + `$`)
	})
	outputImage = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:team|judge)image(?:-[a-zA-Z0-9_.-]{1,100})?` + imageExtension + `$`)
	})
)

// Visualize runs a visualizer of a package on a case (2025-09, "Input visualizer") and
// returns the pictures that it writes to its working folder, in the order of their names.
// It keeps them between calls, by all that decides them. An error is a [problem.Defect] if
// the visualizer fails. The caller has acquired a job, as in Each.
func (j *Judge) Visualize(ctx context.Context, p *problem.Problem, v *Visualizer,
	c *problem.Case) (images []Image, err error) {
	if err := j.Start(); err != nil {
		return nil, err
	}
	kept, err := j.imageFile(v, c)
	if err != nil {
		return nil, err
	}
	if data, err := os.ReadFile(kept); err == nil && json.Unmarshal(data, &images) == nil {
		return images, nil
	}
	b, err := j.BuildTool(ctx, v.Program, p.Checking)
	if err != nil {
		return nil, err
	}
	copies, err := j.TempDir("visualize-")
	if err != nil {
		return nil, err
	}
	defer osfile.RemoveAll(copies)
	input, err := c.Real(copies, ".in")
	if err != nil {
		return nil, err
	}
	answer, err := c.Real(copies, ".ans")
	if err != nil {
		return nil, err
	}
	err = j.InFolder(b, false, func(work string) error {
		had, err := imagesIn(work, inputImage()) // those that come with the program are not of this case
		if err != nil {
			return err
		}
		cmd := sandbox.Cmd{Args: slices.Concat(b.Args, v.Args), Dir: work, Reads: b.Reads, Writes: []string{work},
			AddEnv: b.Env, OpenFiles: b.Files}
		if v.InPlace {
			err = errors.Join(problem.CopyOut(c.FS, c.Path(".in"), work, "testcase.in"),
				problem.CopyOut(c.FS, c.Path(".ans"), work, "testcase.ans"))
		} else {
			cmd.Args, cmd.Reads = slices.Concat(b.Args, []string{input, answer}, v.Args),
				slices.Concat(b.Reads, []string{input, answer})
		}
		if err != nil {
			return err
		}
		if err := j.visualizer(ctx, p, v.Program, c, cmd); err != nil {
			return err
		}
		images, err = imagesIn(work, inputImage())
		images = slices.DeleteFunc(images, func(i Image) bool {
			return slices.ContainsFunc(had, func(h Image) bool { return h.Name == i.Name && string(h.Data) == string(i.Data) })
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	return images, keepImages(kept, images)
}

// visualizer runs a visualizer under the limits of validators. An error is a
// [problem.Defect] if it exceeds them or ends with another exit status than 0.
func (j *Judge) visualizer(ctx context.Context, p *problem.Problem, v *problem.Program, c *problem.Case,
	cmd sandbox.Cmd) error {
	stderr := &Stderr{Most: KeptSaid}
	cmd.Stdout, cmd.Stderr, cmd.Limits = stderr, stderr, build.LimitsOf(p.Checking)
	cmd.Limits.Files, cmd.Limits.Written = maxImageBytes, writtenPerOutput*maxImageBytes
	o, err := j.runner.Run(ctx, cmd)
	why := ""
	switch {
	case err != nil:
		return err
	case o.Exceeded != "":
		why = beyondLimit(o).Error()
	case o.Signal != 0:
		why = "was killed by " + terminal.SignalName(o.Signal)
	case o.Exit != 0:
		why = fmt.Sprintf("exit status %d", o.Exit)
	default:
		return nil
	}
	return &problem.Defect{File: p.Where(v.Path), Msg: "on " + c.Name + ": " +
		why + j.Reason(p.Where(v.Path), c.Name, stderr)}
}

// imagesIn reads the pictures in a folder to which an untrusted program wrote.
func imagesIn(dir string, names *regexp.Regexp) (images []Image, err error) {
	entries, err := os.ReadDir(dir)
	left := int64(maxImageBytes)
	for _, e := range entries {
		if !names.MatchString(e.Name()) || len(images) == maxImages {
			continue
		}
		data, ok, err := osfile.ReadBack(dir, e.Name(), left+1)
		if err != nil {
			return nil, err
		}
		if left -= int64(len(data)); ok && left >= 0 {
			images = append(images, Image{e.Name(), data})
		}
	}
	return images, err
}

// imageFile returns the name of the file that keeps the pictures of a case. It has a
// hash of the visualizer, its arguments, the input and the answer.
func (j *Judge) imageFile(v *Visualizer, c *problem.Case) (string, error) {
	cache, err := j.CacheDir()
	if err != nil {
		return "", err
	}
	files, err := v.Program.Read()
	if err != nil {
		return "", err
	}
	h := sha256.New()
	part := func(name string, data []byte) { fmt.Fprintf(h, "%q %d\n%s\n", name, len(data), data) }
	part("pictures 2", nil)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		part(name, files[name])
	}
	part("arguments", fmt.Appendf(nil, "%q %v", v.Args, v.InPlace))
	for _, ext := range []string{".in", ".ans"} {
		f, err := problem.OpenRegular(c.FS, c.Path(ext))
		if err != nil {
			return "", err
		}
		of := sha256.New()
		_, err = io.Copy(of, f)
		if err = errors.Join(err, f.Close()); err != nil {
			return "", err
		}
		part(ext, of.Sum(nil))
	}
	return filepath.Join(cache, "images", hex.EncodeToString(h.Sum(nil)), "pictures.json"), nil
}

// keepImages stores pictures, and removes the oldest if there are too many.
func keepImages(name string, images []Image) error {
	data, err := json.Marshal(images)
	if err != nil {
		return err
	}
	dir := filepath.Dir(name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	osfile.Prune(filepath.Dir(dir), ".", maxImageCache)
	return osfile.WriteAtomic(name, data)
}

// visualize runs the output visualizer after the output validator, with the same
// arguments and feedback folder (2025-09, "Output visualizer"), and adds the pictures to
// the run. Those of the last pass remain. A failure of the visualizer is not one of the judge.
func (e *validation) visualize(ctx context.Context, x *validator, output func() (io.ReadCloser, error),
	run *Run) error {
	v := e.p.OutputVisualizer
	if !e.j.KeepImages || v == nil || x.testlib {
		return nil
	}
	images, err := e.outputImages(ctx, x, v, output)
	var defect *problem.Defect
	if err != nil && !errors.As(err, &defect) {
		return err
	}
	run.Images, run.Undrawn = images, defect
	return nil
}

func (e *validation) outputImages(ctx context.Context, x *validator, v *problem.Program,
	output func() (io.ReadCloser, error)) (images []Image, err error) {
	b, err := e.j.BuildTool(ctx, v, e.p.Checking)
	if err != nil {
		return nil, err
	}
	input := e.input
	if e.passInput { // the visualizer gets that of the case
		if input, err = e.c.Real(e.dir, ".in"); err != nil {
			return nil, err
		}
	}
	r, err := output()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	err = e.j.InFolder(b, true, func(work string) error {
		return e.j.visualizer(ctx, e.p, v, e.c, sandbox.Cmd{
			Args: slices.Concat(b.Args, []string{input, e.answer, x.folder()}, e.c.OutputVisualizerArgs), Dir: work, Stdin: r,
			Reads: slices.Concat(b.Reads, []string{input, e.answer}), Writes: []string{x.feedback}, AddEnv: b.Env,
			OpenFiles: b.Files,
		})
	})
	if err != nil {
		return nil, err
	}
	return imagesIn(x.feedback, outputImage())
}
