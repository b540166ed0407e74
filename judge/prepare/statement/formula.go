package statement

import (
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/dop251/goja"
)

// Limits of one formula. Temml expands at most 1000 macros by default.
const (
	maxFormula  = 8 << 10 // bytes
	formulaTime = 5 * time.Second
	maxCalls    = 2000 // nested calls of functions
)

//go:embed temml/temml.min.js
var temml string

// compiled is Temml, compiled once for all engines.
var compiled = sync.OnceValues(func() (*goja.Program, error) { return goja.Compile("temml.min.js", temml, true) })

// An engine runs Temml. The zero value is ready. It converts one formula at a time.
type engine struct {
	mu     sync.Mutex
	vm     *goja.Runtime // nil before the first formula, and after one that took too long
	render goja.Callable
}

// formulas converts the formulas of all statements of the process, because to load
// Temml takes as long as to convert thirty formulas.
var formulas engine

// A formulaError is a formula that cannot be converted.
type formulaError struct {
	Offset int // in the formula, in UTF-16 code units; 0 if not known
	Msg    string
}

func (e *formulaError) Error() string { return e.Msg }

// mathML converts a formula of TeX to MathML. The error is a [*formulaError], or a failure
// of the engine.
func (e *engine) mathML(source string, display bool) (string, error) {
	if len(source) > maxFormula {
		return "", &formulaError{Msg: fmt.Sprintf("a formula of %d bytes: expected at most %d", len(source), maxFormula)}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.start(); err != nil {
		return "", err
	}
	vm := e.vm
	stop := time.AfterFunc(formulaTime, func() { vm.Interrupt("too slow") })
	defer stop.Stop()
	out, err := e.render(goja.Undefined(), vm.ToValue(source), vm.ToValue(display))
	var thrown *goja.Exception
	switch {
	case err == nil:
		return out.String(), nil
	case errors.As(err, &thrown):
		return "", describeThrown(thrown.Value())
	}
	e.vm = nil // stopped in the middle of a call
	return "", &formulaError{Msg: "the formula is too complex"}
}

// start loads Temml unless it is loaded.
func (e *engine) start() error {
	if e.vm != nil {
		return nil
	}
	program, err := compiled()
	if err != nil {
		return err
	}
	vm := goja.New()
	vm.SetMaxCallStackSize(maxCalls)
	if _, err := vm.RunProgram(program); err != nil {
		return err
	}
	// trust is false: no formula has a link, a picture, an id or a class of its own.
	// MathJax has \mbox; \ensuremath changes nothing in a formula.
	call, err := vm.RunString(`(function (source, display) {
		return temml.renderToString(source, {displayMode: display, throwOnError: true, trust: false, strict: false,
			macros: {"\\mbox": "\\text{#1}", "\\ensuremath": "{#1}"}})
	})`)
	if err != nil {
		return err
	}
	e.vm = vm
	e.render, _ = goja.AssertFunction(call)
	return nil
}

// describeThrown returns the error for what Temml throws.
func describeThrown(v goja.Value) error {
	found := &formulaError{Msg: v.String()}
	if o, ok := v.(*goja.Object); ok {
		if message := o.Get("message"); message != nil {
			found.Msg = message.String()
		}
		if position := o.Get("position"); position != nil && !goja.IsUndefined(position) {
			found.Offset = int(position.ToInteger())
		}
	}
	// The rest of the message shows the formula with combining characters.
	found.Msg, _, _ = strings.Cut(strings.TrimSpace(found.Msg), " at position ")
	found.Msg, _, _ = strings.Cut(found.Msg, " at end of input")
	found.Msg = strings.ToLower(found.Msg[:min(1, len(found.Msg))]) + found.Msg[min(1, len(found.Msg)):]
	return found
}

// formula returns a formula as HTML. It stands at an offset of the source, where it has
// other characters if macros were expanded in it.
func (r *renderer) formula(source string, offset int, expanded, display bool) string {
	out, err := formulas.mathML(strings.TrimSpace(source), display)
	if err == nil {
		return out
	}
	var bad *formulaError
	if errors.As(err, &bad) && !expanded {
		// Leading space is not part of the formula that was converted.
		offset += len(source) - len(strings.TrimLeft(source, " \t\n")) + bytesOf(source, bad.Offset)
	}
	r.fail(offset, "formula %s: %v", quoteSource(source), err)
	return "<code>" + escape(source) + "</code>"
}

// bytesOf returns the length in bytes of the first units of UTF-16 of a text.
func bytesOf(s string, units int) int {
	for i, c := range strings.TrimLeft(s, " \t\n") {
		if units <= 0 {
			return i
		}
		units--
		if c > 0xffff {
			units--
		}
	}
	return 0
}

// quoteSource returns the beginning of a piece of source for a message.
func quoteSource(source string) string {
	short := []rune(strings.Join(strings.Fields(source), " "))
	if len(short) > 60 {
		short = append(short[:59], '…')
	}
	return fmt.Sprintf("%q", string(short))
}
