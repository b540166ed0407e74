package judge

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"crucible/judge/internal/lazy"
	"crucible/judge/sandbox"
	"crucible/judge/terminal"
)

// Bytes kept of the start of standard error, and as many of its end.
const (
	keptStderr = 2 << 10  // of a submission
	KeptSaid   = 64 << 10 // of a program of the package; a value for Stderr.Most
)

// A Stderr is a writer that keeps the start and the end of what a program writes to
// standard error. Some languages write the reason of a crash first, such as Go, and
// others last, such as Python.
type Stderr struct {
	Most    int    // bytes kept of the start, and of the end; 0 means 2 KiB
	first   []byte // the start, at most Most bytes
	last    []byte // the end so far, at most 2*Most bytes
	dropped int64  // bytes between first and last
}

// Write keeps or drops the bytes. It never returns an error.
func (s *Stderr) Write(p []byte) (int, error) {
	n, most := len(p), s.most()
	if room := most - len(s.first); room > 0 {
		room = min(room, len(p))
		s.first = append(s.first, p[:room]...)
		p = p[room:]
	}
	if drop := len(p) - most; drop > 0 {
		s.dropped += int64(len(s.last) + drop)
		s.last, p = s.last[:0], p[drop:]
	}
	s.last = append(s.last, p...)
	if drop := len(s.last) - most; drop > most {
		s.dropped += int64(drop)
		s.last = append(s.last[:0], s.last[drop:]...)
	}
	return n, nil
}

func (s *Stderr) most() int { return cmp.Or(s.Most, keptStderr) }

// String returns the kept bytes. A line with the number of dropped bytes replaces
// them. The text does not depend on the pieces in which the bytes were written.
func (s *Stderr) String() string {
	last, dropped := s.last, s.dropped
	if more := len(last) - s.most(); more > 0 {
		last, dropped = last[more:], dropped+int64(more)
	}
	if dropped == 0 {
		return string(s.first) + string(last)
	}
	return fmt.Sprintf("%s\n[%s of standard error left out]\n%s", strings.TrimSuffix(string(s.first), "\n"),
		terminal.Bytes(dropped), last)
}

// failsFirst matches the first line of a crash report that begins with its
// reason.
var failsFirst = lazy.Regexp(strings.Join([]string{
	`^(thread \d+ )?panic: `, `^fatal error: `, // Go, Zig
	`^thread '.*' (\(\d+\) )?panicked at `,                                          // Rust
	`^Exception in thread "`, `^Error: (Could not|Main method|Unable|LinkageError)`, // the JVM
	`^Unhandled exception[.:]`, // .NET, Dart, Crystal
	`^(==\d+==\s*)?(ERROR|WARNING): \w+Sanitizer: `, `:\d+:\d+: runtime error: `,
	`^terminate called `, `^libc\+\+abi: `, // C++
	`: Assertion [` + "`'" + `].*' failed\.$`, `^Assertion failed: `,
	// Glibc.
	`^\*\*\* .+ detected \*\*\*`,
	`^(double free or|corrupted (size|double)|(free|malloc|realloc|munmap_chunk|malloc_consolidate)\(\): )`,
	`^((PHP|.*:) )?Fatal error: `,            // OCaml, PHP, Swift
	`^Runtime error \d+ at `,                 // Pascal
	`^lua[\d.]*: `, `^ERROR: \w`, `^\*\* \(`, // Lua, Julia, Elixir
	`^[\w.]+@[^ ]+\(\d+\): `, // D
	// Haskell, Ruby, Perl, Bash.
	`: Prelude\.`, `:\d+:in .+ \((\w|::)*(Error|Exception)\)$`, `^.+ at .+ line \d+\.$`, `: line \d+: `,
}, "|"))

// failsLast matches the last line of a traceback: an exception and its message.
var failsLast = lazy.Regexp(`^(Uncaught )?([A-Za-z_][\w.:$]*)?(Error|Exception|Interrupt)( \[\w+\])?(: .*)?$`)

const traceback = "Traceback (most recent call last):" // Python

// failureIn finds the line of standard error that gives the reason of a failure.
// Known reports that the line is part of a crash report; otherwise it is the last
// line that is not indented. The line is escaped and clipped.
func failureIn(txt string) (line string, known bool) {
	lines := strings.Split(strings.TrimRight(strings.ReplaceAll(txt, "\r\n", "\n"), " \t\n"), "\n")
	clip := func(line string) string { return terminal.Excerpt(strings.TrimSpace(line), maxReason) }
	flush := func(line string) bool { return line != "" && line[0] != ' ' && line[0] != '\t' }
	exception, plain, traced := "", "", false
	for i, line := range lines {
		switch {
		case failsFirst().MatchString(line):
			// The message may be on a line of its own, as in Rust and C++.
			if rest := lines[i+1:]; len(rest) > 0 && strings.TrimSpace(rest[0]) != "" &&
				(strings.HasSuffix(line, ":") || strings.HasPrefix(rest[0], "  what():")) {
				line += " " + strings.TrimSpace(rest[0])
			}
			return clip(line), true
		case line == traceback:
			traced = true
		case traced && flush(line):
			exception, traced = line, false
		case failsLast().MatchString(line):
			exception = line
		}
		if flush(line) && !strings.HasSuffix(line, ":") {
			plain = line
		}
	}
	if exception != "" {
		return clip(exception), true
	}
	if plain == "" {
		plain = lines[len(lines)-1]
	}
	return clip(plain), false
}

// afterCrash returns the text that standard error adds to the reason of a runtime
// error. A line outside a crash report may be debug output, so the text does not
// call it the reason.
func afterCrash(o sandbox.Outcome, stderr string) string {
	switch line, known := failureIn(stderr); {
	case known:
		return ": " + line
	case line != "" && o.Exceeded == "" && o.Signal == 0:
		return "; standard error ends with: " + line
	}
	return ""
}

// Reason returns ": " and the reason why a program of the package failed, as far as
// its standard error gives one, or "". It passes the complete text to OnStderr. On is
// the name of the case or group.
func (j *Judge) Reason(program, on string, stderr *Stderr) string {
	return j.reason(program, on, "", stderr)
}

// reason is Reason for a program that may also have written a message for the jury.
func (j *Judge) reason(program, on, message string, stderr *Stderr) string {
	said := strings.TrimSpace(stderr.String())
	if strings.TrimSpace(message) != "" {
		said = strings.TrimSpace(strings.ReplaceAll(said, seeFile, ""))
	}
	line := reasonIn(message, said)
	if line == "" {
		return ""
	}
	if j.OnStderr != nil {
		txt := said
		if message != "" {
			txt = strings.Trim(said+"\n"+message, "\n")
		}
		j.calling.Lock()
		defer j.calling.Unlock()
		j.OnStderr(program, on, terminal.Excerpt(txt, len(txt)))
	}
	return ": " + line
}

// seeFile is what testlib writes to standard error when its message is in a file.
const seeFile = "See file to check exit message"

// maxReason is the maximum length of the reason of a failure.
const maxReason = 300

// reasonIn finds the reason of a failure in a message for the jury and in standard
// error. A crash report is the reason, whatever the program wrote before it crashed.
// Otherwise the message is, and the last line of standard error if it says something else.
func reasonIn(message, stderr string) string {
	line, known := failureIn(stderr)
	said := strings.Join(strings.Fields(message), " ")
	if len(said) > maxReason {
		said, _ = failureIn(message)
	} else {
		said = terminal.Excerpt(said, maxReason)
	}
	switch {
	case said == "" || known || strings.Contains(line, said):
		return line
	case line == "" || strings.Contains(said, line):
		return said
	}
	return said + "; standard error ends with: " + line
}

// spoolMemory is the maximum part of an output in memory, in bytes. The rest goes
// to a file, so that many large outputs at once do not exhaust the memory.
const spoolMemory = 16 << 20

// A spool stores the output of a program until the checker has read it. The zero
// value is ready.
type spool struct {
	mem  bytes.Buffer
	file *os.File // the rest; nil if everything fits in memory
}

func (s *spool) Write(p []byte) (int, error) {
	if s.file == nil && s.mem.Len()+len(p) <= spoolMemory {
		return s.mem.Write(p)
	}
	if s.file == nil {
		f, err := os.CreateTemp("", "crucible-output-")
		if err != nil {
			return 0, err
		}
		// Remove its name where possible, so that the file cannot stay if the judge is
		// killed.
		os.Remove(f.Name())
		s.file = f
	}
	return s.file.Write(p)
}

// reader returns a reader of the complete output.
func (s *spool) reader() (io.Reader, error) {
	mem := bytes.NewReader(s.mem.Bytes())
	if s.file == nil {
		return mem, nil
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return io.MultiReader(mem, s.file), nil
}

// open returns the reader with a Close that does nothing.
func (s *spool) open() (io.ReadCloser, error) {
	r, err := s.reader()
	return io.NopCloser(r), err
}

// start returns a copy of the first bytes, at most most of them.
func (s *spool) start(most int) []byte {
	b := s.mem.Bytes()
	return bytes.Clone(b[:min(len(b), most)])
}

// equals reports whether the spool has exactly these bytes, all in memory.
func (s *spool) equals(data []byte) bool { return s.file == nil && bytes.Equal(s.mem.Bytes(), data) }

// reset empties the spool.
func (s *spool) reset() error {
	s.mem.Reset()
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if e := os.Remove(s.file.Name()); e != nil && !errors.Is(e, fs.ErrNotExist) {
		err = errors.Join(err, e)
	}
	s.file = nil
	return err
}

// A head keeps the first bytes written to it and drops the rest.
type head struct {
	buf  bytes.Buffer
	most int
}

func (h *head) Write(p []byte) (int, error) {
	if room := h.most - h.buf.Len(); room > 0 {
		h.buf.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
