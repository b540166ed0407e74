package mutate

import (
	"slices"
	"strings"
)

// droppedStatements finds statements whose removal leaves a program that compiles.
func droppedStatements(o *outline, add add) {
	for _, s := range o.stmts {
		if !s.fixed && (s.kind == assignment || s.kind == calling || s.kind == other) {
			add(edit{s.span, o.words.drop})
		}
	}
}

// droppedElse finds else parts.
func droppedElse(o *outline, add add) {
	for _, b := range o.branches {
		if !b.other.empty() {
			add(edit{b.other, ""})
		}
	}
}

// droppedConditions finds parts of conditions, conditions and statements with a
// condition.
func droppedConditions(o *outline, add add) {
	for _, b := range o.binaries {
		if b.op == o.words.and || b.op == o.words.or {
			add(edit{span{b.left.to, b.right.to}, ""})
			add(edit{span{b.left.from, b.right.from}, ""})
		}
	}
	for _, b := range o.branches {
		if b.cond.empty() || strings.Contains(o.text(b.cond), ":=") {
			continue
		}
		if b.jump == "" {
			add(o.always(b.cond))
		}
		add(o.dropped(b))
	}
}

// earlyExits finds ways to leave a loop too early: after the first execution of its
// body, or instead of going on.
func earlyExits(o *outline, add add) {
	for _, l := range o.loops {
		if len(l.finish) > 0 {
			add(l.finish...)
		}
	}
	for _, s := range o.stmts {
		if s.kind == jumping && s.name == "continue" && s.value == "" && !s.inCase && s.loops > 0 {
			add(edit{span{s.from, s.from + len("continue")}, "break"})
		}
	}
}

// missedExits finds ways to leave a loop that are left out.
func missedExits(o *outline, add add) {
	for _, s := range o.stmts {
		if s.kind != jumping || s.name != "break" || s.loops == 0 || s.value != "" && o.words.guard[0] != "" {
			continue
		}
		text := o.words.drop
		if guard := o.words.guard; guard[0] != "" {
			text = guard[0] + o.text(s.span) + guard[1]
		}
		add(edit{s.span, text})
		if s.value == "" && !s.inCase {
			add(edit{span{s.from, s.from + len("break")}, "continue"})
		}
	}
}

// removedPruning finds conditions under which a search or a loop goes no further.
func removedPruning(o *outline, add add) {
	for _, b := range o.branches {
		if b.jump == "" || !(b.loop || b.again) || b.jump == "break" && !b.loop {
			continue
		}
		if !b.cond.empty() {
			add(o.dropped(b))
		}
	}
}

// removedMemos finds results that are looked up before they are computed.
func removedMemos(o *outline, add add) {
	for _, m := range o.memos {
		add(m)
	}
	for _, b := range o.branches {
		if !b.again || b.jump != "return" || b.result == "" || slices.Contains(b.params, b.result) || isNumber(b.result) {
			continue
		}
		name, _, _ := strings.Cut(b.result, "[")
		name, _, _ = strings.Cut(name, ".")
		header := o.text(span{b.from, max(b.then.from, b.from)})
		if !names(header, strings.TrimSpace(name)) || slices.Contains(b.params, name) && !strings.Contains(b.result, "[") {
			continue
		}
		if !b.cond.empty() {
			add(o.dropped(b))
		}
	}
}

func isNumber(text string) bool {
	return text != "" && strings.Trim(text, "-0123456789.") == ""
}
