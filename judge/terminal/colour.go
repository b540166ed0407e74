package terminal

// A Colour is the number of an SGR sequence, such as "1;31"; the empty one
// changes nothing.
type Colour string

const (
	Plain       Colour = ""
	Bold        Colour = "1"
	Faint       Colour = "2"
	Red         Colour = "31"
	Green       Colour = "32"
	Yellow      Colour = "33"
	Magenta     Colour = "35"
	BoldRed     Colour = "1;31"
	BoldMagenta Colour = "1;35"
)

// Paint colours s.
func (c Colour) Paint(s string) string {
	if c == Plain || s == "" {
		return s
	}
	return "\x1b[" + string(c) + "m" + s + "\x1b[0m"
}
