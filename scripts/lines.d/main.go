// Command lines.d prints measurements of the judge's packages without their
// tests: lines, exported names, the size of the largest group of files in which
// each file reaches all the others, and the number of functions over 50 lines.
//
//	go run ./scripts/lines.d [-v] [DIR]
//
// DIR is the root of the module, by default the current folder. -v also prints
// the long functions, and references whose removal leaves no group of more than
// ten files.
package main

import (
	"flag"
	"fmt"
	"os"
	"text/tabwriter"

	"crucible/scripts/shape"
)

// mostFiles is the largest size of a group of files that -v does not explain.
const mostFiles = 10

func main() {
	verbose := flag.Bool("v", false, "name long functions, and references that join large groups of files")
	flag.Parse()
	dir := "."
	if flag.NArg() > 0 {
		dir = flag.Arg(0)
	}
	if err := print(dir, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "lines:", err)
		os.Exit(1)
	}
}

func print(dir string, verbose bool) error {
	measured, err := shape.Load(dir, "./judge/...")
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "code\tlines\texported\tlargest group\tfunctions over 50\t package")
	row := func(p shape.Package, group, long int) {
		fmt.Fprintf(w, "%d\t%d\t%d\t%d\t%d\t %s\n", p.Code, p.Lines, p.Exported, group, long, p.Path)
	}
	total := shape.Package{Path: "total"}
	group, long := 0, 0
	for _, p := range measured {
		files := max(1, len(p.Files.Largest()))
		row(p, files, len(p.Long))
		total.Code += p.Code
		total.Lines += p.Lines
		total.Exported += p.Exported
		group = max(group, files)
		long += len(p.Long)
	}
	row(total, group, long)
	if err := w.Flush(); err != nil || !verbose {
		return err
	}
	for _, p := range measured {
		for _, f := range p.Long {
			fmt.Printf("%s/%s\n", p.Path, f)
		}
		if cut := p.Files.Splits(mostFiles); len(cut) > 0 {
			fmt.Printf("%s has no group of more than %d files without these references:\n%s", p.Path, mostFiles,
				p.Files.Explain(cut))
		}
	}
	return nil
}
