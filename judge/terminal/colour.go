package terminal

// A Colour is the parameters of an SGR escape sequence (ECMA-48), such as
// "1;31". The zero value is [Plain].
type Colour string

// The colours and weights that the judge uses, each with the parameters of ECMA-48
// that select it. Plain leaves text unchanged.
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

// Paint returns s between the sequence of the colour and a reset. It returns s
// unchanged if c is Plain or s is empty.
func (c Colour) Paint(s string) string {
	if c == Plain || s == "" {
		return s
	}
	return "\x1b[" + string(c) + "m" + s + "\x1b[0m"
}
