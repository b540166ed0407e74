package main

// Puzzles of other people, cited by name; each has one solution.
var known = []struct{ name, puzzle string }{
	// Number 1 of Gordon Royle's list of 17-clue sudokus. No sudoku with 16
	// clues has one solution (McGuire, Tugemann and Civario 2012).
	{"royle1", "" +
		".......1." + "4........" + ".2......." +
		"....5.4.7" + "..8...3.." + "..1.9...." +
		"3..4..2.." + ".5.1....." + "...8.6..."},

	// Wikipedia, "Sudoku solving algorithms", the picture of a puzzle made to
	// work against brute force. The solution's first row is 987654321.
	{"bruteforce", "" +
		"........." + ".....3.85" + "..1.2...." +
		"...5.7..." + "..4...1.." + ".9......." +
		"5......73" + "..2.1...." + "....4...9"},

	// Arto Inkala 2012, in newspapers as the hardest sudoku.
	{"inkala2012", "" +
		"8........" + "..36....." + ".7..9.2.." +
		".5...7..." + "....457.." + "...1...3." +
		"..1....68" + "..85...1." + ".9....4.."},

	// Arto Inkala 2006, "AI Escargot".
	{"escargot", "" +
		"1....7.9." + ".3..2...8" + "..96..5.." +
		"..53..9.." + ".1..8...2" + "6....4..." +
		"3......1." + ".4......7" + "..7...3.."},

	// JPF 2007, "Easter Monster".
	{"eastermonster", "" +
		"1.......2" + ".9.4...5." + "..6...7.." +
		".5.9.3..." + "....7...." + "...85..4." +
		"7.....6.." + ".3...9.8." + "..2.....1"},

	// "Golden Nugget", in Nicolas Juillerat's Sudoku Explainer among the five
	// hardest.
	{"goldennugget", "" +
		".......39" + ".....1..5" + "..3.5.8.." +
		"..8.9...6" + ".7...2..." + "1..4....." +
		"..9.8..5." + ".2....6.." + "4..7....."},

	// "Platinum Blonde", hard for gsf's rating program.
	{"platinumblonde", "" +
		".......12" + "........3" + "..23..4.." +
		"..18....5" + ".6..7.8.." + ".....9..." +
		"..85....." + "9...4.5.." + "47...6..."},
}

// cited returns a known puzzle by name.
func cited(name string) (grid, bool) {
	for _, k := range known {
		if k.name == name {
			g, err := parse(k.puzzle)
			return g, err == nil
		}
	}
	return grid{}, false
}
