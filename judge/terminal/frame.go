package terminal

import (
	"fmt"
	"io"
	"strings"
)

// A Frame is a group of lines at the end of a terminal's output that is redrawn
// in place. Finished lines are printed above it and scroll away like any output.
// The cursor stays at the end of the frame and is never hidden, so nothing needs
// to be restored if the program is killed.
//
// A Frame erases line by line: terminals such as tmux copy the screen into their
// history when a program erases all of it at once.
type Frame struct {
	W    io.Writer                  // the terminal; write errors are ignored
	Size func() (columns, rows int) // size of the terminal; called for each drawing, because it can change

	widths []int  // columns of each line on the screen
	shown  string // the bytes that drew those lines
}

// Rows returns the number of screen rows of the frame: more than its number of
// lines if the window has become narrower and the terminal has wrapped some.
func (f *Frame) Rows() (rows int) {
	columns, _ := f.Size()
	columns = max(columns, 1)
	for _, width := range f.widths {
		rows += max(1, (width+columns-1)/columns)
	}
	return rows
}

// Draw replaces the frame with the text above, which must be empty or end in
// "\r\n", and draws lines below that text. It writes nothing if nothing has
// changed. Lines of above may be wider than the terminal; lines of the frame may
// not.
func (f *Frame) Draw(above string, lines ...*Line) {
	text := make([]string, len(lines))
	for i, line := range lines {
		text[i] = line.String() + "\x1b[K"
	}
	shown := strings.Join(text, "\r\n")
	if above == "" && shown == f.shown {
		return
	}
	var b strings.Builder
	b.WriteString("\x1b[?2026h") // synchronized output: a terminal that supports it shows all changes at once
	before := f.home(&b)
	if above != "" || before > len(lines) {
		erase(&b, before)
	}
	b.WriteString(above + shown + "\x1b[?2026l")
	io.WriteString(f.W, b.String())
	f.shown, f.widths = shown, f.widths[:0]
	for _, line := range lines {
		f.widths = append(f.widths, line.Width())
	}
}

// End erases the frame, prints above in its place and leaves the cursor below.
func (f *Frame) End(above string) {
	var b strings.Builder
	erase(&b, f.home(&b))
	io.WriteString(f.W, b.String()+above)
	f.shown, f.widths = "", nil
}

// home moves the cursor to the start of the frame and returns the number of
// screen rows of the frame.
func (f *Frame) home(b *strings.Builder) int {
	rows := f.Rows()
	b.WriteByte('\r')
	up(b, rows-1)
	return rows
}

// erase erases rows, starting with the row of the cursor, and moves the cursor
// back.
func erase(b *strings.Builder, rows int) {
	for i := range rows {
		if i > 0 {
			b.WriteString("\r\n")
		}
		b.WriteString("\x1b[K")
	}
	up(b, rows-1)
}

func up(b *strings.Builder, rows int) {
	if rows > 0 {
		fmt.Fprintf(b, "\x1b[%dA", rows)
	}
}
