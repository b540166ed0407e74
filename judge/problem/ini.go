package problem

import (
	"bytes"
	"slices"
	"strings"
)

// DOMjudge reads domjudge-problem.ini with parse_ini_string of PHP, without sections
// (PHP manual, parse_ini_file). This file follows its rules for scalars: a comment begins
// with ; also after a value, the last of equal keys counts, "..." has escapes and '...' has
// none, adjacent parts are joined, and bare words such as yes and none are 1 and nothing.
// Lines that begin with # are comments, as before PHP 7, in which they are keys that
// DOMjudge ignores.

// An iniField is one key of a file with its value.
type iniField struct {
	key, value string
	set        bool // there is a =
	line       int  // of the key, from 1
	from, to   int  // bytes of the value in the file, without quotes; equal if it is empty
	parts      int  // number of parts of the value; only one part can be replaced
}

// iniWords are the values of bare words.
var iniWords = map[string]string{"true": "1", "on": "1", "yes": "1", "false": "", "off": "", "no": "", "none": "",
	"null": ""}

// parseINI returns the fields of a file in their order. It reports no errors: a quote that
// is not closed ends with its line.
func parseINI(data []byte) (fields []iniField) {
	const space, ends = " \t\v\f", "\r\n"
	data = slices.Concat(data, []byte("\n"))
	at, line, counted := 0, 1, 0 // lines are counted up to counted
	if bytes.HasPrefix(data, []byte("\ufeff")) {
		at = len("\ufeff")
	}
	until := func(chars string) string { // there is an end of line after every position
		n := bytes.IndexAny(data[at:], chars)
		at += n
		return string(data[at-n : at])
	}
	skip := func() { at += len(data[at:]) - len(bytes.TrimLeft(data[at:], space)) }
	for skip(); at < len(data); skip() {
		switch data[at] {
		case '\r', '\n':
			at++
			continue
		case ';', '#', '[':
			until(ends)
			continue
		}
		for ; counted < at; counted++ {
			if data[counted] == '\n' || data[counted] == '\r' && data[counted+1] != '\n' {
				line++
			}
		}
		f := iniField{line: line}
		f.key = strings.TrimRight(until("=;"+ends), space)
		if f.set = data[at] == '='; f.set {
			at++
			bare := f.readValue(data, &at, until, skip)
			if word, ok := iniWords[strings.ToLower(f.value)]; bare && f.parts == 1 && ok {
				f.value = word
			}
		}
		until(ends)
		fields = append(fields, f)
	}
	return fields
}

// readValue reads the parts of a value up to a comment or the end of the line, and reports
// whether the last part is bare.
func (f *iniField) readValue(data []byte, at *int, until func(string) string, skip func()) (bare bool) {
	const ends = "\r\n"
	for skip(); ; skip() {
		from := *at
		quote := data[from]
		switch {
		case strings.IndexByte(";"+ends, quote) >= 0:
			if f.parts == 0 {
				f.from, f.to = from, from
			}
			return bare
		case quote == '"' || quote == '\'':
			bare = false
			text, end := unquoted(data[from+1:], quote)
			f.value += text
			f.from, f.to, *at = from+1, from+1+end, min(from+2+end, len(data)-1)
			if data[f.to] != quote {
				*at = f.to
			}
		default:
			bare = true
			text := strings.TrimRight(until(`";`+ends), " \t\v\f")
			f.value += text
			f.from, f.to = from, from+len(text)
		}
		f.parts++
	}
}

// unquoted returns the text up to the quote, and its length in data. Without the quote, the
// text ends with the line.
func unquoted(data []byte, quote byte) (text string, end int) {
	var b []byte
	for i := 0; i < len(data); i++ {
		switch {
		case data[i] == quote:
			return string(b), i
		case quote == '"' && data[i] == '\\' && i+1 < len(data) && (data[i+1] == '"' || data[i+1] == '\\'):
			i++
		}
		b = append(b, data[i])
	}
	end = bytes.IndexAny(data, "\r\n")
	return string(data[:end]), end
}
