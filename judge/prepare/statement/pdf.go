package statement

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"crucible/judge/internal/lazy"
	"crucible/judge/problem"
)

// Limits of making a PDF.
const (
	printTime = time.Minute
	texTime   = 2 * time.Minute
	maxPDF    = 64 << 20 // bytes
)

// PDF returns a statement as PDF: a statement that is a PDF as it is, another one
// printed by Chromium or, if it needs TeX or there is no Chromium, set by latexmk or
// tectonic. The error joins the defects of the statement, or names the program that is
// missing; it matches [ErrNoProgram] then.
func PDF(ctx context.Context, p *problem.Problem, f File) (pdf []byte, warnings []error, err error) {
	if f.Kind() == ".pdf" {
		pdf, err = problem.ReadBounded(p.FS, f.Name, maxPDF)
		return pdf, nil, err
	}
	page, err := Render(p, f)
	browser, tex := Browser(), texProgram()
	switch {
	case errors.Is(err, ErrNeedsTeX) && tex != "", err == nil && browser == "" && tex != "" && f.Kind() == ".tex":
		pdf, err = typeset(ctx, tex, p, f)
		return pdf, nil, err
	case errors.Is(err, ErrNeedsTeX):
		return nil, nil, errors.Join(err, fmt.Errorf("%w: %s needs TeX: expected latexmk or tectonic on the PATH",
			ErrNoProgram, p.Where(f.Name)))
	case page == nil:
		return nil, nil, err
	case err != nil:
		return nil, page.Warnings, err
	case browser == "":
		return nil, page.Warnings, fmt.Errorf("%w: "+
			"a PDF needs chromium, chromium-browser or google-chrome on the PATH, or latexmk or tectonic for LaTeX",
			ErrNoProgram)
	}
	pdf, err = page.print(ctx, browser)
	return pdf, page.Warnings, err
}

// ErrNoProgram matches the error of [PDF] if no program can make the PDF.
var ErrNoProgram = errors.New("a program is missing")

// Browser returns the path of Chromium; "" if it is not installed.
func Browser() string {
	return firstProgram("chromium", "chromium-browser", "google-chrome")
}

func firstProgram(names ...string) string {
	for _, name := range names {
		if program, err := exec.LookPath(name); err == nil {
			return program
		}
	}
	return ""
}

// print prints the page. The page has no script and its policy allows no request; the
// browser resolves no name besides, and keeps its files in a folder that is removed.
func (p *Page) print(ctx context.Context, browser string) ([]byte, error) {
	html, err := p.HTML()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "crucible-statement-")
	if err != nil {
		return nil, err
	}
	defer removeAll(dir)
	source, output := filepath.Join(dir, "page.html"), filepath.Join(dir, "page.pdf")
	if err := os.WriteFile(source, html, 0o600); err != nil {
		return nil, err
	}
	args := []string{
		"--headless", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars",
		"--force-color-profile=srgb",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
		"--disable-breakpad", "--disable-quic",
		"--host-resolver-rules=MAP * ~NOTFOUND", "--proxy-server=127.0.0.1:9", "--proxy-bypass-list=<-loopback>",
		"--user-data-dir=" + filepath.Join(dir, "profile"), "--no-pdf-header-footer", "--print-to-pdf=" + output,
	}
	if os.Geteuid() == 0 {
		args = append(args, "--no-sandbox") // Chromium's sandbox does not work as root
	}
	message, err := run(ctx, printTime, dir, browser, append(args, "file://"+filepath.ToSlash(source))...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", browser, err, lastLine(message))
	}
	pdf, err := os.ReadFile(output)
	if err != nil {
		return nil, fmt.Errorf("%s wrote no PDF: %s", browser, lastLine(message))
	}
	return reproducible(pdf), nil
}

var (
	// pdfDate matches the dates in the description of a PDF that Chromium writes.
	pdfDate = lazy.Regexp(`/(?:CreationDate|ModDate) \(D:[0-9]{14}`)
	// pdfNode matches the names of the elements of the page in a PDF that Chromium writes.
	pdfNode = lazy.Regexp(`\(node[0-9]{8}\)`)
)

// reproducible returns a PDF with the first day of 2000 as its date and with the
// elements counted from 0, so that the same statement gives the same bytes. Offsets in
// the file and the order of names do not change.
func reproducible(pdf []byte) []byte {
	const date = "20000101000000"
	pdf = pdfDate().ReplaceAllFunc(pdf, func(found []byte) []byte {
		return append(bytes.Clone(found[:len(found)-len(date)]), date...)
	})
	number := func(name []byte) int {
		n, _ := strconv.Atoi(string(name[len("(node") : len(name)-1]))
		return n
	}
	first := math.MaxInt
	for _, name := range pdfNode().FindAll(pdf, -1) {
		first = min(first, number(name))
	}
	return pdfNode().ReplaceAllFunc(pdf,
		func(name []byte) []byte { return fmt.Appendf(nil, "(node%08d)", number(name)-first) })
}

// run runs a program in a folder that is its home too, and returns what it printed.
func run(ctx context.Context, limit time.Duration, dir, program string, args ...string) (string, error) {
	ctx, stop := context.WithTimeout(ctx, limit)
	defer stop()
	c := exec.CommandContext(ctx, program, args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "HOME="+dir, "TMPDIR="+dir, "XDG_CONFIG_HOME="+dir, "XDG_CACHE_HOME="+dir,
		// TeX reads and writes only below the folder, and runs no program.
		"openin_any=p", "openout_any=p", "shell_escape=f", "SOURCE_DATE_EPOCH=946684800", "FORCE_SOURCE_DATE=1")
	c.WaitDelay = 2 * time.Second
	out := &tail{most: 1 << 20}
	c.Stdout, c.Stderr = out, out
	err := c.Run()
	if cause := context.Cause(ctx); cause != nil && err != nil {
		err = cause
	}
	return string(out.b), err
}

// A tail keeps the last bytes that are written to it.
type tail struct {
	b    []byte
	most int
}

func (t *tail) Write(p []byte) (int, error) {
	t.b = append(t.b, p...)
	if len(t.b) > 2*t.most {
		t.b = bytes.Clone(t.b[len(t.b)-t.most:])
	}
	return len(p), nil
}

// lastLine returns the last line of a program's output that has text.
func lastLine(output string) string {
	lines := strings.Split(strings.TrimSpace(visible(output)), "\n")
	return lines[len(lines)-1]
}

// removeAll removes a folder to which the last processes of a browser may still write.
func removeAll(dir string) {
	for range 50 {
		if os.RemoveAll(dir) == nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}
