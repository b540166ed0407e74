package sandbox

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"crucible/judge/internal/osfile"
)

//go:embed plugin/count.c
var source []byte

// HardwareCounters is the version of the counters of a processor, which a sandbox reads itself.
const HardwareCounters = "hardware counters"

// An InstructionCounter counts the instructions that programs execute in user space, by
// emulating their processor with one version of QEMU. For programs without threads, random
// numbers and clocks the count is the same on every run, whatever else the machine does.
//
// The emulator is QEMU's user mode with a plugin, which the C compiler of the machine
// builds when it is first needed. Where this was measured, programs took 1.3 to 6 times
// as long as without it, and loops of vector instructions 35 to 55 times. One process is
// counted: what a program starts with execve(2) runs natively. Emulated programs see the
// file with their count, so counts of hostile programs have no value.
type InstructionCounter struct {
	Version string // of the emulator, as it prints it: "qemu-x86_64 version 7.2.22 (Debian ...)"
	Folder  string // of the files with counts; "" is the folder of temporary files
	// The CPU time of a program under the emulator divided by that without, of the worst of
	// some measured programs.
	Slowdown float64

	emulator string // path
	plugin   string // path of the built plugin
}

// A NoCountingError is the reason why this machine cannot count, and names what to
// install.
type NoCountingError struct{ Why string }

func (e *NoCountingError) Error() string { return "instructions cannot be counted: " + e.Why }

// emulators are the names of QEMU's user mode by GOARCH.
var emulators = map[string]string{"amd64": "qemu-x86_64", "arm64": "qemu-aarch64", "riscv64": "qemu-riscv64",
	"ppc64le": "qemu-ppc64le", "s390x": "qemu-s390x"}

// toolTime is the time limit of the compiler and of a first run of the emulator.
const toolTime = time.Minute

// NewInstructionCounter finds the emulator and builds the plugin for it, or finds it in the cache. The
// error is an [*NoCountingError] if the machine lacks a tool, or its versions do not
// fit.
func NewInstructionCounter(ctx context.Context, cache string) (*InstructionCounter, error) {
	name := emulators[runtime.GOARCH]
	if runtime.GOOS != "linux" || name == "" {
		return nil, &NoCountingError{"the emulator for it is QEMU's user mode, which exists for Linux only"}
	}
	emulator, err := exec.LookPath(name)
	if err != nil {
		return nil, &NoCountingError{name + " is not on the PATH: install it (Debian: qemu-user)"}
	}
	ctx, cancel := context.WithTimeout(ctx, toolTime)
	defer cancel()
	answer, err := exec.CommandContext(ctx, emulator, "--version").Output()
	if err != nil {
		return nil, &NoCountingError{fmt.Sprintf("%s does not print its version: %v", emulator, err)}
	}
	c := &InstructionCounter{emulator: emulator}
	c.Version, _, _ = strings.Cut(string(answer), "\n")
	return c, c.build(ctx, filepath.Join(cache, "instructions"))
}

// apis returns the versions of the plugin interface that a version of QEMU may accept,
// the likely ones first.
func pluginAPIs(version string) []int {
	for _, word := range strings.Fields(version) {
		if major, _, ok := strings.Cut(word, "."); ok {
			if n, err := strconv.Atoi(major); err == nil && n < 9 {
				return []int{1}
			}
		}
	}
	return []int{2, 3, 4, 5, 6, 7, 8}
}

// build builds the plugin with the first version of the interface that the emulator
// accepts, and measures the emulator. It does so once for each version of the emulator.
func (c *InstructionCounter) build(ctx context.Context, dir string) (err error) {
	sum := sha256.Sum256(slices.Concat([]byte(c.Version+"\x00"+c.emulator+"\x00"), source, slowdown))
	name := filepath.Join(dir, hex.EncodeToString(sum[:8]))
	c.plugin = name + ".so"
	if osfile.IsFile(c.plugin) {
		if c.Slowdown, err = readSlowdown(name + ".slowdown"); err == nil {
			return nil
		}
	}
	compiler, err := exec.LookPath("cc")
	if err != nil {
		return &NoCountingError{"the plugin for QEMU is in C, and cc is not on the PATH: install a C compiler (Debian: " +
			"gcc libc6-dev)"}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(dir, ".building-")
	if err != nil {
		return err
	}
	defer osfile.RemoveAll(tmp)
	file, built := filepath.Join(tmp, "count.c"), filepath.Join(tmp, "count.so")
	if err := os.WriteFile(file, source, 0o644); err != nil {
		return err
	}
	why := ""
	for _, api := range pluginAPIs(c.Version) {
		out, err := exec.CommandContext(ctx, compiler, "-O2", "-shared", "-fPIC", "-fvisibility=hidden",
			fmt.Sprintf("-DAPI=%d", api), "-o", built, file).CombinedOutput()
		if err != nil {
			return &NoCountingError{fmt.Sprintf("%s does not compile the plugin for QEMU: %v: %s", compiler, err, out)}
		}
		if why = c.try(ctx, built); why == "" {
			if c.Slowdown, err = c.measure(ctx, compiler, tmp, built); err != nil {
				return err
			}
			measured := filepath.Join(tmp, "measured")
			return errors.Join(os.WriteFile(measured, strconv.AppendFloat(nil, c.Slowdown, 'g', 4, 64), 0o644),
				os.Chmod(built, 0o755),
				os.Rename(measured, name+".slowdown"), os.Rename(built, c.plugin))
		}
		why = fmt.Sprintf("%s does not load the plugin of interface version %d: %s", c.Version, api, why)
	}
	return &NoCountingError{why}
}

// try counts the instructions of the emulator's own machine's /bin/true. It returns why
// that failed.
func (c *InstructionCounter) try(ctx context.Context, plugin string) string {
	out, err := newCountFile(filepath.Dir(plugin))
	if err != nil {
		return err.Error()
	}
	defer os.Remove(out)
	said, err := exec.CommandContext(ctx, c.emulator, "-plugin", plugin+",out="+out, "/bin/true").CombinedOutput()
	if err != nil {
		return strings.TrimSpace(fmt.Sprintf("%v: %s", err, said))
	}
	if n, err := readCount(out); err != nil || n == 0 {
		return fmt.Sprintf("it counted no instructions of /bin/true (%v)", err)
	}
	return ""
}

// newCountFile returns a new file for one count, which programs of other users may write.
func newCountFile(dir string) (string, error) {
	f, err := os.CreateTemp(dir, "instructions-")
	if err != nil {
		return "", err
	}
	return f.Name(), errors.Join(f.Truncate(8), f.Chmod(0o666), f.Close())
}

// read returns the count in a file; 0 if the file has none, because the program that was
// counted wrote to it.
func readCount(name string) (int64, error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	var data [9]byte
	if n, err := io.ReadFull(f, data[:]); n != 8 || err != io.ErrUnexpectedEOF {
		return 0, nil
	}
	return max(0, int64(binary.NativeEndian.Uint64(data[:8]))), nil
}

// CountingMemory is what the emulator itself needs at most, in bytes: its code, and the translated
// code of the program.
const CountingMemory = 256 << 20

// Runner returns a Runner that runs programs under the emulator, by r, and sets
// Outcome.Instructions, or leaves it 0 if the program changed the file with its count.
// Limits and usage include those of the emulator: a caller allows for them by Slowdown
// and CountingMemory.
func (c *InstructionCounter) Runner(r Runner) Runner { return &countingRunner{r, c} }

type countingRunner struct {
	Runner
	*InstructionCounter
}

func (r *countingRunner) Run(ctx context.Context, cmd Cmd) (Outcome, error) {
	out, err := newCountFile(r.Folder)
	if err != nil {
		return Outcome{}, err
	}
	defer os.Remove(out)
	// The emulator is now the program of the command, so the own file of the program must
	// be named.
	cmd.Reads = append(slices.Clone(cmd.Reads), r.plugin)
	if filepath.IsAbs(cmd.Args[0]) {
		cmd.Reads = append(cmd.Reads, cmd.Args[0])
	}
	cmd.Args = slices.Concat([]string{r.emulator, "-plugin", r.plugin + ",out=" + out}, cmd.Args)
	cmd.Writes = append(slices.Clone(cmd.Writes), out)
	cmd.FixedAddresses = true
	o, err := r.Runner.Run(ctx, cmd)
	if err != nil {
		return o, err
	}
	o.Instructions, err = readCount(out)
	return o, err
}

// Protection returns how the programs are confined.
func (r *countingRunner) Protection() Protection { return ProtectionOf(r.Runner) }
