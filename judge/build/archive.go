package build

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"slices"

	"crucible/judge/internal/osfile"
	"crucible/judge/language"
	"crucible/judge/sandbox"
)

// A compiler that runs on a Java virtual machine spends a third of its time on loading
// its own classes. The machine can archive the classes that one compilation has loaded
// (java(1), "Application Class Data Sharing"). The archive is a prepared file:
//
//	archives/CODE/KEY/compiler.jsa
//
// The archive changes no program: only the compiler is started with it.

const archiveFile = "compiler.jsa"

// archive returns the folder of the archived classes of a language's compiler, or "" if
// there is none.
func (b *Builder) archive(ctx context.Context, l *language.Language, tc Toolchain) string {
	if l.Typical == "" {
		return ""
	}
	key := HashOf(slices.Concat([]string{runtime.GOOS, runtime.GOARCH, tc.Compiler, tc.Version, l.Typical}, l.Compile,
		l.Flags)...)
	return b.prepared(filepath.Join("archives", l.Code, key), func(tmp string) (*preparedFiles, error) {
		return b.makeArchive(ctx, l, tc, tmp)
	})
}

// archiveOptions returns the options with which a compiler loads its classes from the
// archive in dir. It ignores an archive that does not fit its virtual machine. Without
// the last option, it would print warnings about it.
func archiveOptions(dir string) []string {
	return []string{"-J-XX:SharedArchiveFile=" + filepath.Join(dir, archiveFile), "-J-Xlog:disable"}
}

// makeArchive archives the classes that the compiler needs for a typical source, in bin/
// of a temporary folder, and checks that the compiler can use them.
func (b *Builder) makeArchive(ctx context.Context, l *language.Language, tc Toolchain,
	tmp string) (*preparedFiles, error) {
	// The compiler writes its program to typical/bin, and the archive to bin.
	typical, bin, work := filepath.Join(tmp, "typical"), filepath.Join(tmp, "bin"), filepath.Join(tmp, "tmp")
	src, program := filepath.Join(typical, "src"), filepath.Join(typical, "bin")
	files, entry, err := l.Arrange(map[string][]byte{"Main" + l.Ext(): []byte(l.Typical)}, "")
	if err == nil {
		err = errors.Join(osfile.Mkdir(typical), osfile.Mkdir(program), osfile.WriteFiles(src, files))
	}
	if err != nil {
		return nil, err
	}
	compile := func(reads, writes []string, options ...string) (Compile, error) {
		c, _, err := b.runCompiler(ctx, tmp, sandbox.Cmd{
			Args: slices.Insert(expand(l.Compile, l, tc, files, entry, typical, 0), 1, options...), Dir: src,
			Reads: slices.Concat(tc.Folders, reads), Writes: append(writes, program, work),
			Env: environment(b.path(tc), l, b.Cache, tmp), Limits: buildLimits(Usual),
		})
		return c, err
	}
	name := filepath.Join(bin, archiveFile)
	c, err := compile(nil, []string{bin}, "-J-XX:ArchiveClassesAtExit="+name)
	if err != nil || c.Exit != 0 || !osfile.IsFile(name) {
		return &preparedFiles{Unusable: "the compiler makes no archive: " + c.Message}, err
	}
	if err := osfile.Adopt(bin); err != nil {
		return nil, err
	}
	// With -Xshare:on, a virtual machine that cannot use the archive ends with an error.
	c, err = compile([]string{bin}, nil, append(archiveOptions(bin), "-J-Xshare:on")...)
	if err != nil || c.Exit != 0 {
		return &preparedFiles{Unusable: "the compiler does not use the archive: " + c.Message}, err
	}
	p := new(preparedFiles)
	for _, name := range []string{Resolved(tc.Compiler), Resolved(tc.Runtime), name} {
		f, statErr := stateOf(name)
		err = errors.Join(err, statErr)
		p.Files = append(p.Files, f)
	}
	p.Files[len(p.Files)-1].Name = archiveFile
	return p, err
}
