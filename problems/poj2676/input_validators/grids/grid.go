package main

// A form is how a problem writes a grid: nine lines of nine characters.
type form struct {
	blank byte // the character of a blank cell
	gap   int  // spaces between one character and the next
}

// column returns where in its line a cell stands, from 1.
func (f form) column(cell int) int { return 1 + cell%9*(1+f.gap) }

// grid reads nine lines and returns the board with their digits, and the
// number of the first line.
func (f form) grid(in *lines) (b board, first int, err error) {
	first = in.n + 1
	for row := range 9 {
		text, err := in.next(f.column(8), "a row of nine cells")
		if bad := f.row(&b, row, text, in); bad != nil {
			return b, first, bad // what comes first is the better clue
		}
		if err != nil {
			return b, first, err
		}
		if len(text) < f.column(8) {
			return b, first, in.at(len(text)+1, "the line ends after %d characters, want %d", len(text), f.column(8))
		}
	}
	return b, first, nil
}

// row puts the digits of a line on the board, as far as the line goes.
func (f form) row(b *board, row int, text []byte, in *lines) error {
	for i, c := range text {
		if i%(1+f.gap) != 0 {
			if c != ' ' {
				return in.at(i+1, "%s, want a space", show(c))
			}
			continue
		}
		if c == f.blank {
			continue
		}
		if c < '1' || c > '9' {
			return in.at(i+1, "%s, want a digit 1 to 9, or %q for a blank", show(c), f.blank)
		}
		cell, d := 9*row+i/(1+f.gap), int(c-'1')
		if unit := b.clash(cell, d); unit != "" {
			return in.at(i+1, "a second %c in this %s", c, unit)
		}
		b.put(cell, d)
	}
	return nil
}
