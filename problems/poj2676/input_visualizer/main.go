// Command main draws the sudokus of a case as SVG files in the working folder:
//
//	main INPUT ANSWER
//
// The givens are black, and the digits of the answer are blue. Of a case with many
// sudokus, it draws the first ones.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strings"
)

const (
	most = 20 // sudokus that are drawn
	cell = 36 // pixels
	edge = 2  // pixels around the grid
	size = 9*cell + 2*edge
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: main INPUT ANSWER")
		os.Exit(2)
	}
	if err := draw(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func draw(input, answer string) error {
	givens, err := grids(input, 1)
	if err != nil {
		return err
	}
	// The answer of a case that is not generated yet may be missing.
	solved, _ := grids(answer, 0)
	for i, g := range givens {
		var s []string
		if i < len(solved) {
			s = solved[i]
		}
		if err := os.WriteFile(fmt.Sprintf("sudoku-%02d.svg", i+1), []byte(svg(g, s)), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// grids reads at most the first grids of nine lines of a file, after some other lines.
func grids(name string, skip int) (all [][]string, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var rows []string
	for in := bufio.NewScanner(f); in.Scan() && len(all) < most; {
		if skip--; skip >= 0 {
			continue
		}
		row := strings.TrimSpace(in.Text())
		if len(row) != 9 || strings.Trim(row, "0123456789") != "" {
			return nil, errors.New("expected rows of nine digits")
		}
		if rows = append(rows, row); len(rows) == 9 {
			all, rows = append(all, rows), nil
		}
	}
	return all, nil
}

// svg draws a grid. solved may be nil.
func svg(givens, solved []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%[1]d\" viewBox=\"0 0 %[1]d %[1]d\">\n", size)
	fmt.Fprintf(&b, "<rect width=\"%d\" height=\"%[1]d\" fill=\"#fff\"/>\n", size)
	for i := 0; i <= 9; i++ {
		width, at := 1, edge+i*cell
		if i%3 == 0 {
			width = 3
		}
		fmt.Fprintf(&b, "<path d=\"M%d %d V%d M%[2]d %[1]d H%[3]d\" stroke=\"#333\" stroke-width=\"%[4]d\"/>\n", at, edge, size-edge, width)
	}
	b.WriteString("<g font-family=\"sans-serif\" font-size=\"22\" text-anchor=\"middle\">\n")
	for r, row := range givens {
		for c := range row {
			digit, style := row[c], "fill=\"#111\" font-weight=\"bold\""
			if digit == '0' && solved != nil {
				digit, style = solved[r][c], "fill=\"#0b5cad\""
			}
			if digit != '0' {
				fmt.Fprintf(&b, "<text x=\"%d\" y=\"%d\" %s>%c</text>\n", edge+c*cell+cell/2, edge+r*cell+cell/2+8, style, digit)
			}
		}
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}
