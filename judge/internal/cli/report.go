package cli

import (
	"cmp"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"crucible/judge/record"
	"crucible/judge/terminal"
)

func Report(e *Env) *cobra.Command {
	var o Outputs
	var file string
	var verbose bool
	c := &cobra.Command{
		Use:   "report [RUN]",
		Short: "print a stored run in any format",
		Long: `Print the results of a stored run in any format, without running anything. RUN
is an id from judge history or a unique prefix of one, a file of the history,
last (the default), last~1 for the run before it, and so on.

For a run that was killed or has not ended, report prints what has finished so
far. Statistics are computed again from the stored measurements.

Exit status: 0 if the report was written, whatever the exit status of the run;
otherwise see judge help.`,
		Example: `  judge report
  judge report last~1 --format markdown
  judge report x7k2 -o report.html`,
		Args:              Arguments(0, 1),
		ValidArgsFunction: CompleteRuns,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = []string{"last"}
			}
			return writeStored(e, c, &o, file, verbose, args[0])
		},
	}
	o.Flags(c)
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "print a line for every run, and tables of details in full length")
	c.Flags().StringVarP(&file, "output", "o", "",
		"write to `FILE` instead of standard output; without --format, its extension determines the format")
	return c
}

// writeStored runs judge report.
func writeStored(e *Env, c *cobra.Command, o *Outputs, file string, verbose bool, name string) error {
	call, err := StoredCall(name)
	if err != nil {
		return err
	}
	if len(call.Sections) > 0 { // judge would leave them out
		if err := e.needLab(); err != nil {
			return err
		}
	}
	doc, err := call.Document(e.sections()...)
	if err != nil {
		return err
	}
	if file != "" && file != "-" {
		if err := o.Divert(file, c.Flags().Changed("format")); err != nil {
			return err
		}
	}
	if err := o.Open(e); err != nil {
		return err
	}
	switch id := call.Head.ID; {
	case call.State == record.Killed:
		Warn(e, fmt.Errorf("run %s was killed, or its file is incomplete: the report has only the results until then",
			id))
	case call.State == record.GoingOn:
		Warn(e, fmt.Errorf("run %s has not ended: the report has only the results so far", id))
	case call.Head.Command == "verify":
		Warn(e, fmt.Errorf("run %s is of judge verify (%s): the report has the results of the submissions; the "+
			"results of other promises are not stored", id, OutcomeOf(call.End.Status)))
	}
	return o.Show(e, doc, verbose)
}

// StoredCall reads the call that the user names. A call that is named by its file
// needs no history folder.
func StoredCall(name string) (*record.Call, error) {
	folder, folderErr := record.HistoryFolder()
	entry, err := record.FindCall(folder, name)
	if err != nil {
		return nil, cmp.Or(folderErr, err)
	}
	if entry.Path != name {
		return entry.Read()
	}
	if f := OpenOther(name); f != nil {
		defer f.Close()
		// An empty file is that of a judge that was killed at once, as Read reports.
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
			return nil, fmt.Errorf("%s: not a file of the history; judge report reads only these, and judge compare reads "+
				"reports too", terminal.Clean(name))
		}
	}
	return entry.Read()
}

// OpenOther opens a file that does not begin like a file of the history. It returns
// nil if the name is not that of such a file.
func OpenOther(name string) *os.File {
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	const head = `{"head":`
	start := make([]byte, len(head))
	n, _ := f.ReadAt(start, 0)
	if info, err := f.Stat(); err != nil || info.IsDir() || string(start[:n]) == head {
		f.Close()
		return nil
	}
	return f
}
