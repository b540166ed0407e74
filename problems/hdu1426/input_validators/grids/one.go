package main

// unique reports if a board that began at line first has not exactly one
// solution.
func (f form) unique(b board, first int) error {
	switch n, cell := b.solutions(); n {
	case 0:
		return defect(first, 1, "no solution, want one")
	case 1:
		return nil
	default:
		return defect(first+cell/9, f.column(cell), "several solutions, want one; they differ in this cell")
	}
}
