package judge

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"time"

	"crucible/judge/terminal"
)

// A Dialogue is the log of an interaction.
type Dialogue struct {
	Lines []Remark `json:"dialogue"`     // in the order in which the judge read them
	Cut   bool     `json:"dialogue_cut"` // lines are missing, because the log reached its maximum size

	// The start and the end of what the output validator wrote to standard error.
	Stderr string `json:"interactor_stderr,omitzero"`
}

// A Remark is one line of a Dialogue.
type Remark struct {
	Pass int           `json:"pass"`  // number of the pass, from 1
	At   time.Duration `json:"at_ns"` // time from the start of the pass to the end of the line
	From Speaker       `json:"from"`  // the side that wrote it
	Text string        `json:"text"`  // the line without its line ending; escaped, and clipped if it is long
}

// A Speaker is one side of a Dialogue. Its value is the mark of the side in the
// format's .interaction files (2025-09, "Samples for interactive and multi-pass
// problems").
type Speaker string

const (
	FromJudge      Speaker = "<" // the output validator
	FromSubmission Speaker = ">" // the submission
)

const (
	keptDialogue = 64 << 10 // maximum size of the logs of all passes together, in bytes
	keptRemark   = 160      // maximum length of one line, in bytes
	remarkCosts  = 16       // bytes that each line counts in addition to its text
)

// String returns the line with its time and its speaker.
func (r Remark) String() string {
	return fmt.Sprintf("%9.4fs  %s %s", r.At.Seconds(), r.From, r.Text)
}

// Text returns the dialogue as lines, with --- between passes.
func (d *Dialogue) Text() []string {
	var lines []string
	for i, r := range d.Lines {
		if i > 0 && r.Pass != d.Lines[i-1].Pass {
			lines = append(lines, "---")
		}
		lines = append(lines, r.String())
	}
	if d.Cut {
		lines = append(lines, "...")
	}
	return lines
}

// room returns how many more bytes the log may have.
func (d *Dialogue) room() int {
	room := keptDialogue
	if d.Cut {
		return 0
	}
	for _, r := range d.Lines {
		room -= len(r.Text) + remarkCosts
	}
	return max(room, 0)
}

// A recorder logs one pass from the data on the wires.
type recorder struct {
	begun time.Time

	mu    sync.Mutex
	room  int  // bytes that the log of this pass may still grow by
	cut   bool // the log reached its maximum size
	lines []Remark
	open  map[Speaker]*unfinished // always has both speakers
}

func newRecorder(room int) *recorder {
	return &recorder{begun: time.Now(), room: room, open: map[Speaker]*unfinished{FromJudge: {}, FromSubmission: {}}}
}

// unfinished is the start of a line whose end has not arrived.
type unfinished struct {
	text []byte // at most keptRemark bytes
	any  bool   // data has arrived
	long bool   // the line is longer than text
}

// hears returns a function that logs the data of one speaker.
func (r *recorder) hears(from Speaker) func([]byte) {
	return func(p []byte) {
		r.mu.Lock()
		defer r.mu.Unlock()
		at := time.Since(r.begun)
		u := r.open[from]
		for len(p) > 0 && !r.cut {
			line, rest, ends := bytes.Cut(p, []byte("\n"))
			u.add(line)
			if ends {
				r.end(from, at)
			}
			p = rest
		}
	}
}

func (u *unfinished) add(p []byte) {
	u.any = true
	room := keptRemark - len(u.text)
	u.long = u.long || len(p) > room
	u.text = append(u.text, p[:min(len(p), room)]...)
}

// end completes a line and logs it if there is room.
func (r *recorder) end(from Speaker, at time.Duration) {
	u := r.open[from]
	text := terminal.Clean(strings.TrimSuffix(string(u.text), "\r"))
	if u.long {
		text += "..."
	}
	*u = unfinished{text: u.text[:0]}
	if r.room -= len(text) + remarkCosts; r.room < 0 {
		r.cut = true
		return
	}
	r.lines = append(r.lines, Remark{At: at, From: from, Text: text})
}

// dialogue appends the log of the pass, with unfinished lines, to d, the log of
// earlier passes.
func (r *recorder) dialogue(d Dialogue, pass int) Dialogue {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, from := range []Speaker{FromJudge, FromSubmission} {
		if r.open[from].any && !r.cut {
			r.end(from, time.Since(r.begun))
		}
	}
	for _, line := range r.lines {
		line.Pass = pass
		d.Lines = append(d.Lines, line)
	}
	d.Cut = d.Cut || r.cut
	r.lines = nil
	return d
}
