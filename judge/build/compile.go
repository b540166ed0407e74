package build

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"crucible/judge/internal/osfile"
	"crucible/judge/language"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
	"crucible/judge/terminal"
)

// temporaryFolder makes a folder beside the cached programs, in which a program is
// built before it gets its final name.
func (b *Builder) temporaryFolder() (string, error) {
	programs := filepath.Join(b.Cache, "programs")
	if err := os.MkdirAll(programs, 0o755); err != nil {
		return "", err
	}
	return os.MkdirTemp(programs, temporaryPrefix)
}

const temporaryPrefix = ".building-"

// compile builds a program in a temporary folder, which is renamed to final when
// the program is complete.
func (b *Builder) compile(ctx context.Context, l *language.Language, tc Toolchain, files map[string][]byte, entry,
	final string, g problem.Guarantee) (c Compile, err error) {
	dir, err := b.temporaryFolder()
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, osfile.RemoveAll(dir)) }()
	src, bin, tmp := filepath.Join(dir, "src"), filepath.Join(dir, "bin"), filepath.Join(dir, "tmp")
	if err := errors.Join(osfile.WriteFiles(src, files), osfile.Mkdir(bin),
		osfile.WriteFiles(tmp, l.Support)); err != nil {
		return c, err
	}
	if l.Compile != nil {
		reads, library := tc.Folders, ""
		if l.Module {
			if library, err = b.prepareGo(ctx, l, tc, files, src); err != nil {
				return c, err
			}
			reads = append(slices.Clone(reads), library)
		}
		cmd := sandbox.Cmd{
			Args:   expand(l.Compile, l, tc, files, entry, dir, 0),
			Dir:    src,
			Reads:  reads,
			Writes: []string{bin, tmp}, Scratch: l.Beside,
			Env:    environment(b.path(tc), l, b.Cache, dir),
			Limits: buildLimits(g),
			// go build opens some for each core of the machine.
			OpenFiles: 1024,
		}
		c, err = b.runCompilers(ctx, l, tc, files, entry, dir, library, cmd)
		if err != nil || c.Exit != 0 {
			return c, err
		}
		if l.Beside {
			// Without a box, files that the compiler wrote beside the sources are still there.
			if err := errors.Join(osfile.RemoveAll(src), osfile.WriteFiles(src, files)); err != nil {
				return c, err
			}
		}
		if why, err := accept(l, bin); err != nil || why != "" {
			c.Exit, c.Message = 1, strings.TrimSpace(why+"\n"+c.Message)
			return c, err
		}
	}
	return c, finish(dir, final, c)
}

// runCompilers compiles a program with the command cmd, or in a quicker way that gives
// the same program.
func (b *Builder) runCompilers(ctx context.Context, l *language.Language, tc Toolchain, files map[string][]byte, entry,
	dir, library string, cmd sandbox.Cmd) (c Compile, err error) {
	if l.Module {
		if done, err := b.compileGoFile(ctx, l, tc, files, entry, dir, library, cmd); done || err != nil {
			return c, err
		}
	}
	header, archive := b.header(ctx, l, tc, files), b.archive(ctx, l, tc)
	if header != "" || archive != "" {
		c, _, err = b.runCompiler(ctx, dir, quicker(cmd, header, archive))
	}
	// A precompiled header must not reject a source, or appear in its messages. A
	// damaged archive ends a compiler by a signal.
	if header == "" && archive == "" || err != nil || header != "" && (c.Exit != 0 || c.Message != "") {
		c, _, err = b.runCompiler(ctx, dir, cmd)
	}
	return c, err
}

// quicker returns the command of a compiler that uses the prepared files in these
// folders; "" is none.
func quicker(cmd sandbox.Cmd, header, archive string) sandbox.Cmd {
	cmd.Args, cmd.Reads = slices.Clone(cmd.Args), slices.Clone(cmd.Reads)
	if header != "" {
		cmd.Args, cmd.Reads = slices.Insert(cmd.Args, 1, "-I"+header), append(cmd.Reads, header)
	}
	if archive != "" {
		cmd.Args, cmd.Reads = slices.Insert(cmd.Args, 1, archiveOptions(archive)...), append(cmd.Reads, archive)
	}
	return cmd
}

// runCompiler runs a compiler or a build script. A compiler that exceeds the limits
// rejects the source (2025-09, "Resource guarantees"). The error is for compilers
// that could not be run, or that a signal ended. dir is omitted from messages.
func (b *Builder) runCompiler(ctx context.Context, dir string, cmd sandbox.Cmd) (Compile, sandbox.Outcome, error) {
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.Locks = &said, &said, true
	o, err := b.Runner.Run(ctx, cmd)
	if err != nil {
		return Compile{}, o, err
	}
	c := Compile{Exit: o.Exit, Message: strings.ReplaceAll(terminal.Excerpt(
		withoutStaticWarnings(said.String()), 8<<10), dir+string(filepath.Separator), "")}
	switch {
	case o.Exceeded != "":
		c.Exit, c.Message = -1, strings.TrimSpace(fmt.Sprintf("the compiler exceeded its %s limit\n%s", o.Exceeded,
			c.Message))
	case o.Signal != 0:
		return c, o, fmt.Errorf("the compiler was killed by %s: %s", terminal.SignalName(o.Signal),
			terminal.FirstLine(said.String()))
	}
	return c, o, nil
}

// accept makes the judge the owner of the files that a compiler left in bin, or
// returns the reason why they are not a program. A hostile source can make a compiler
// leave any file.
func accept(l *language.Language, bin string) (why string, err error) {
	err = osfile.Adopt(bin)
	var found *osfile.FoundError
	if errors.As(err, &found) {
		return "the compiler left a file that cannot be part of a program: " + found.Error(), nil
	}
	if err != nil || l.Command()[0] != "{bin}" {
		return "", err
	}
	info, err := os.Lstat(filepath.Join(bin, programName()))
	if errors.Is(err, fs.ErrNotExist) || err == nil && (!info.Mode().IsRegular() || info.Mode()&0o111 == 0 &&
		runtime.GOOS != "windows") {
		return "the compiler did not make an executable program", nil
	}
	return "", err
}

// finish completes a temporary folder and gives it its final name. Another judge
// may have built the same program meanwhile; then that one is used. A folder of
// that name whose program was changed is replaced.
func finish(dir, final string, c Compile) error {
	if err := osfile.RemoveAll(filepath.Join(dir, "tmp")); err != nil {
		return err
	}
	if err := saveCompile(dir, c); err != nil {
		return err
	}
	// Until now, other users could not read the folder.
	if err := os.Chmod(dir, 0o755); err != nil {
		return err
	}
	if os.Rename(dir, final) == nil {
		return nil
	}
	if _, ok := cached(final); ok {
		return nil
	}
	return errors.Join(osfile.RemoveAll(final), os.Rename(dir, final))
}
