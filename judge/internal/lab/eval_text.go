package lab

import (
	"strings"

	"crucible/judge/internal/lazy"
)

// Models answer in Markdown and with other text around a program. Its forms here are those
// of the answers that evaluations publish: fenced blocks (CommonMark 0.31, section 4.5),
// reasoning before the answer, tokens of chats, and tags that prompts ask for.
var (
	chatTokens = lazy.Regexp(`^(?:\s*(?:<\|[A-Za-z_]+\|>|<s>)(?:(?:assistant|user|system)\b)?)+\n?|` +
		`(?:\s*(?:<\|[A-Za-z_]+\|>|</s>))+\s*$`)
	tagged = lazy.Regexp(`(?s)^\s*(?:<(?:code|answer|solution)>|\[(?:PYTHON|CODE|ANSWER)\])[ \t]*\n?(.*?)` +
		`\s*(?:</(?:code|answer|solution)>|\[/(?:PYTHON|CODE|ANSWER)\])`)
	fenceForm = lazy.Regexp("^ {0,3}(`{3,}|~{3,})[ \t]*([^`]*?)[ \t\r]*$")
)

// programIn returns the program in an answer, the language that its fence names, or "", and
// what was removed around it: "reasoning", "tokens", "tags", "Markdown", with commas between
// them. Without any of these, the program is the text.
func programIn(text string) (program, language, removed string) {
	var all []string
	note := func(what, rest string) {
		if rest != text {
			text, all = rest, append(all, what)
		}
	}
	if at := strings.LastIndex(text, "</think>"); at >= 0 {
		note("reasoning", strings.TrimLeft(text[at+len("</think>"):], "\r\n"))
	}
	note("tokens", chatTokens().ReplaceAllString(text, ""))
	if parts := tagged().FindStringSubmatch(text); parts != nil {
		note("tags", parts[1]+"\n")
	}
	if block, name, ok := fenced(text); ok {
		language = name
		note("Markdown", block)
	}
	return text, language, strings.Join(all, ", ")
}

// fenced returns the last fenced block that names a language, or else the last one, and that
// language. A block that is not closed, as of an answer that was cut, ends with the text.
func fenced(text string) (block, language string, ok bool) {
	var open, name string // the fence of the current block, and the first word after it
	var b strings.Builder
	take := func() {
		if open != "" && (name != "" || language == "") {
			block, language, ok = b.String(), name, true
		}
		open = ""
		b.Reset()
	}
	for line := range strings.Lines(text) {
		parts := fenceForm().FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		switch {
		case open == "" && parts != nil:
			open = parts[1]
			word, _, _ := strings.Cut(strings.TrimLeft(parts[2], "{."), " ")
			name = strings.TrimRight(word, "}")
		case open != "" && parts != nil && parts[2] == "" && strings.HasPrefix(parts[1], open):
			take()
		case open != "":
			b.WriteString(line)
		}
	}
	take()
	return block, language, ok
}
