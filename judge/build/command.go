package build

import (
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"crucible/judge/language"
)

// environment returns the environment of compilers. It contains no variables of
// the user's, so that the result depends only on the source and the tools.
func environment(path string, l *language.Language, cache, dir string) []string {
	tmp := filepath.Join(dir, "tmp")
	env := []string{"PATH=" + path, "LANG=C.UTF-8", "LC_ALL=C.UTF-8", "HOME=" + tmp, "TMPDIR=" + tmp, "TMP=" + tmp,
		"TEMP=" + tmp}
	if runtime.GOOS == "windows" {
		env = append(env, "SystemRoot="+os.Getenv("SystemRoot"))
	}
	return append(env, envOf(l, cache)...)
}

// path returns the PATH of a compiler. In a box it has only the folders of the
// tools and of the machine: other folders of the user's PATH are not visible there.
func (b *Builder) path(tc Toolchain) string {
	if !b.boxed() {
		return os.Getenv("PATH")
	}
	var folders []string
	for _, tool := range []string{tc.Compiler, tc.Runtime} {
		if tool != "" {
			folders = append(folders, filepath.Dir(tool))
		}
	}
	folders = append(folders, "/usr/local/bin", "/usr/bin", "/bin")
	return strings.Join(folders, string(os.PathListSeparator))
}

// expand replaces the placeholders of a command in the table of languages for one
// program. The memory limit is in bytes; 0 is none.
func expand(command []string, l *language.Language, tc Toolchain, files map[string][]byte, entry, dir string,
	memory int64) []string {
	sources := l.Sources(slices.Sorted(maps.Keys(files)))
	pkg := "./" + entry
	if len(sources) > 1 || len(files) > 1 {
		pkg = "."
	}
	replace := strings.NewReplacer(
		"{compiler}", tc.Compiler, "{runtime}", tc.Runtime,
		"{home}", filepath.Dir(filepath.Dir(Resolved(tc.Compiler))),
		"{entry}", "./"+entry, "{stem}", strings.TrimSuffix(entry, path.Ext(entry)), "{class}", entry,
		"{bin}", filepath.Join(dir, "bin", programName()), "{dir}", dir, "{package}", pkg, "{heap}",
		strconv.FormatInt(heapMiB(memory), 10),
	)
	var args []string
	for _, a := range command {
		switch a {
		case "{files}":
			for _, name := range sources {
				args = append(args, "./"+name)
			}
		case "{flags}":
			args = append(append(args, l.Flags...), l.Static...)
		default:
			args = append(args, replace.Replace(a))
		}
	}
	return args
}

// commandOf returns the command that compiles a program, see [Compile].
func commandOf(l *language.Language, tc Toolchain, files map[string][]byte, entry string) []string {
	if l.Compile == nil {
		return nil
	}
	const folder = "\x00" // no path contains it
	args := expand(l.Compile, l, tc, files, entry, folder, 0)
	for i, a := range args {
		args[i] = strings.ReplaceAll(strings.ReplaceAll(a, folder+string(filepath.Separator), ""), folder, ".")
	}
	return args
}

// programName returns the file name of a compiled program.
func programName() string {
	if runtime.GOOS == "windows" {
		return "program.exe"
	}
	return "program"
}

// readsOf returns the files and folders that a built program of the language reads,
// besides itself and its working folder: other built files, and the runtime.
func readsOf(l *language.Language, tc Toolchain, dir string) (all []string) {
	for _, arg := range slices.Concat(l.Run, l.ProgramEnv) {
		if arg == "{runtime}" {
			all = append(all, tc.Folders...)
		}
		if strings.Contains(arg, "{dir}/bin") {
			all = append(all, filepath.Join(dir, "bin"))
		}
	}
	return all
}

// heapMiB returns the heap size of a managed runtime: the memory limit minus about
// what the runtime itself uses, so that garbage is collected before the process
// exceeds the limit.
func heapMiB(memory int64) int64 {
	const runtimeOwn, least, usual = 40, 16, 2048
	if memory == 0 {
		return usual
	}
	return max(memory>>20-runtimeOwn, least)
}
