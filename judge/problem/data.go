package problem

import (
	"fmt"
	"io/fs"
	"maps"
	"math"
	"slices"
	"strings"

	"crucible/judge/terminal"
)

const (
	maxCases   = 1_000_000
	maxDepth   = 32      // nested folders
	maxFolders = 100_000 // in one tree
)

// validationFolders lists the folders of data/ with cases that are not for
// submissions, and the files that their cases need besides .in. Names after the
// first are from older versions of the format.
var validationFolders = []struct {
	names []string
	needs []string
	cases func(*Problem) *[]*Case
}{
	{[]string{"invalid_input", "invalid_inputs"}, nil, func(p *Problem) *[]*Case { return &p.InvalidInput }},
	{[]string{"invalid_answer", "invalid_answers"}, []string{".ans"},
		func(p *Problem) *[]*Case { return &p.InvalidAnswer }},
	{[]string{"invalid_output", "invalid_outputs"}, []string{".ans", ".out"},
		func(p *Problem) *[]*Case { return &p.InvalidOutput }},
	{[]string{"valid_output", "valid_outputs"}, []string{".ans", ".out"},
		func(p *Problem) *[]*Case { return &p.ValidOutput }},
}

// readData reads the cases and groups of the package into p.Data, p.Cases and the
// lists of cases for validators. p.Format and the validators must have been read.
func readData(p *Problem, defects *Defects) {
	entries, ok := defects.readDir(p.FS, "data")
	if !ok {
		return
	}
	d := dataReader{p: p, defects: defects, needs: []string{".ans"}}
	config := d.rootConfig(entries)
	for _, name := range []string{"sample", "secret"} {
		if p.Folder([]string{"data/" + name}, defects) != "" {
			d.folder("data/"+name, d.newGroup(name, p.Data), config, 1)
		}
	}
	if g := p.Data.At("secret"); g == nil || !g.any() {
		switch sample := p.Data.At("sample"); {
		case len(defects.Errs) > 0:
		case sample != nil && sample.any():
			defects.warnf(p.Where("data/secret"), "has no cases, so submissions run on the samples only: expected at least "+
				"one pair of NAME.in and NAME.ans")
		default:
			defects.Addf(p.Where("data/secret"), "has no cases: expected at least one pair of NAME.in and NAME.ans")
		}
	}
	p.Data.tidy()
	p.Cases = p.Data.flat(nil)
	checkGroups(p, defects)
	d.checkCollisions(p.Cases)
	for _, v := range validationFolders {
		for _, name := range v.names {
			if !slices.Contains(p.Format.dataFolders, name) || p.Folder([]string{"data/" + name}, defects) == "" {
				continue
			}
			d := dataReader{p: p, defects: defects, needs: v.needs}
			g := d.newGroup(name, nil)
			d.folder("data/"+name, g, config, 1)
			g.tidy()
			*v.cases(p) = append(*v.cases(p), g.flat(nil)...)
		}
	}
	d.warnUnknown(entries)
}

// warnUnknown warns of entries of data/ that the format does not have: of each one whose
// name is nearly that of a folder, and once of all others.
func (d *dataReader) warnUnknown(entries []fs.DirEntry) {
	p, defects := d.p, d.defects
	known := append([]string{"sample", "secret"}, p.Format.dataFolders...)
	for _, e := range entries {
		name := e.Name()
		switch near := terminal.DidYouMean(name, known); {
		case IgnoredName(name) || slices.Contains(known, name) || slices.Contains(p.Format.GroupFile, name):
		case near != "":
			defects.warnf(p.Where("data/"+name), "%s%s", noPart, near)
		default:
			defects.others = append(defects.others, "data/"+name)
		}
	}
	if others := defects.others; others != nil {
		slices.Sort(others)
		msg := noPart
		if n := len(others) - 1; n > 0 {
			msg += fmt.Sprintf(", like %d more in data/", n)
		}
		defects.warn(&Defect{File: p.Where(others[0]), Msg: msg, Harmless: true})
	}
}

const noPart = "is not part of the format and is not read"

// tidy sorts the cases and groups in the order of the format: by name without
// extension, the static validation case first, because its name begins with a
// parenthesis.
func (g *Group) tidy() {
	slices.SortFunc(g.Cases, func(a, b *Case) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(g.Groups, func(a, b *Group) int { return strings.Compare(a.Name, b.Name) })
	for _, sub := range g.Groups {
		sub.tidy()
	}
}

// flat appends the cases of the group and of the groups below it in order of
// their names.
func (g *Group) flat(cases []*Case) []*Case {
	groups := g.Groups
	for _, c := range g.Cases {
		for len(groups) > 0 && groups[0].Name < c.Name {
			cases = groups[0].flat(cases)
			groups = groups[1:]
		}
		cases = append(cases, c)
	}
	for _, sub := range groups {
		cases = sub.flat(cases)
	}
	return cases
}

// A dataReader reads one tree of cases.
type dataReader struct {
	p       *Problem
	defects *Defects
	needs   []string // extensions that a case must have besides .in
	cases   int
	folders int
	tooDeep bool

	inherits bool // groups inherit as in BAPCtools, because of data/test_group.yaml
}

// newGroup adds a group with default settings to its parent.
func (d *dataReader) newGroup(name string, parent *Group) *Group {
	g := &Group{Name: name, Aggregation: AllOrNothing, MaxScore: math.Inf(1), where: d.p.Where("data/" + name)}
	switch {
	case d.p.Format.Legacy && parent != nil:
		g.OnReject, g.Custom, g.GraderFlags = parent.OnReject, parent.Custom, parent.GraderFlags
		g.AcceptScore, g.RejectScore, g.Range = parent.AcceptScore, parent.RejectScore, parent.Range
	case name == "secret":
		g.Aggregation, g.MaxScore = Sum, 100
	}
	if parent != nil {
		parent.Groups = append(parent.Groups, g)
	}
	return g
}

// folder reads the cases of a folder and of the folders below it.
func (d *dataReader) folder(dir string, g *Group, config Case, depth int) {
	fsys := d.p.FS
	// Symbolic links can form cycles, and several cycles multiply the number of folders.
	switch d.folders++; {
	case d.folders > maxFolders || d.tooDeep:
		return
	case d.folders == maxFolders:
		d.defects.Addf(d.p.Where(dir), "more than %d folders", maxFolders)
		return
	case depth > maxDepth:
		d.defects.Addf(d.p.Where(dir), "more than %d folders deep", maxDepth)
		d.tooDeep = true
		return
	}
	entries, ok := d.defects.readDir(fsys, dir)
	if !ok {
		return
	}
	if g, config = d.configured(dir, g, config, entries, depth); g.defaults == nil {
		settings := config
		settings.OutputValidatorArgs = d.validatorArgs(config.OutputValidatorArgs)
		g.defaults = &settings
	}
	byName, folders := d.classify(dir, entries)
	inputs := 0
	for _, exts := range byName {
		if slices.Contains(exts, ".in") {
			inputs++
		}
	}
	// Each input is a case or a defect, so their number is checked before any is opened.
	switch {
	case d.cases > maxCases:
		return
	case d.cases+inputs > maxCases:
		d.cases = maxCases + 1
		d.defects.Addf(d.p.Where(dir), "more than %d cases", maxCases)
		return
	}
	for _, base := range slices.Sorted(maps.Keys(byName)) {
		d.add(dir, base, byName[base], g, config)
	}
	for _, e := range folders {
		name := e.Name()
		if slices.Contains(byName[name], ".in") {
			d.defects.Addf(d.p.Where(dir+"/"+name), "has the same name as the case %s.in", name)
		}
		if e.Type()&fs.ModeSymlink != 0 && leadsUp(fsys, dir+"/"+name) {
			d.defects.Addf(d.p.Where(dir+"/"+name), "is a symbolic link to a folder that contains it")
			continue
		}
		below := g
		if d.p.Format.Legacy {
			below = d.newGroup(strings.TrimPrefix(dir+"/"+name, "data/"), g)
		}
		d.folder(dir+"/"+name, below, config, depth+1)
	}
}

// classify returns the extensions of the files of each case in a folder, and the folders
// that may have further cases. It warns of other entries.
func (d *dataReader) classify(dir string, entries []fs.DirEntry) (byName map[string][]string, folders []fs.DirEntry) {
	byName = make(map[string][]string, len(entries)/2)
	for _, e := range entries {
		name := e.Name()
		if IgnoredName(name) {
			switch {
			case strings.HasSuffix(name, ".in"):
				d.defects.warnIgnored(d.p.FS, dir, name)
			case IsFolder(d.p.FS, dir, e):
				d.defects.ignore(d.p.FS, dir, name)
			}
			continue
		}
		base, ext := d.split(name)
		switch folder := IsFolder(d.p.FS, dir, e); {
		case slices.Contains(d.p.Format.GroupFile, name):
		case isGroupFile(name):
			d.defects.warnf(d.p.Where(dir+"/"+name), "is not read: version %s expects %s", d.p.Version,
				d.p.Format.GroupFile[0])
		case ext != "" && (ext == ".files") == folder:
			byName[base] = append(byName[base], ext)
		case folder:
			folders = append(folders, e)
		case isCaseFile(name):
			d.defects.warnf(d.p.Where(dir+"/"+name), "does not belong to a case and is not read")
		default:
			d.defects.others = append(d.defects.others, dir+"/"+name)
		}
	}
	return byName, folders
}

// isGroupFile reports whether a file configures groups in some version.
func isGroupFile(name string) bool {
	return slices.ContainsFunc(Formats, func(f Format) bool { return slices.Contains(f.GroupFile, name) })
}

// isCaseFile reports whether a file is part of a case in some version.
func isCaseFile(name string) bool {
	return slices.ContainsFunc(Formats, func(f Format) bool {
		return slices.ContainsFunc(f.CaseExtensions, func(ext string) bool { return strings.HasSuffix(name, ext) })
	})
}

// IsFolder reports whether an entry of dir is a folder. It follows symbolic links,
// which the format allows inside a package.
func IsFolder(fsys fs.FS, dir string, e fs.DirEntry) bool {
	if e.Type()&fs.ModeSymlink == 0 {
		return e.IsDir()
	}
	info, err := fs.Stat(fsys, dir+"/"+e.Name())
	return err == nil && info.IsDir()
}

// split splits a file name into the name of a case and an extension. Longer
// extensions come first in the table, so that "1.in.statement" is not case "1.in".
func (d *dataReader) split(name string) (base, ext string) {
	for _, ext := range d.p.Format.CaseExtensions {
		if base, ok := strings.CutSuffix(name, ext); ok && base != "" {
			return base, ext
		}
	}
	return name, ""
}

// add checks one case and adds it to its group. c has the settings that it inherits.
func (d *dataReader) add(dir, base string, exts []string, g *Group, c Case) {
	at := func(ext string) string { return d.p.Where(dir + "/" + base + ext) }
	if !d.complete(dir, base, exts, g, at) {
		return
	}
	d.cases++
	d.checkShown(at, exts)
	if d.needs == nil && slices.Contains(exts, ".ans") {
		d.defects.warnf(at(".ans"), "is not read: cases of %s have no answer", g.Name)
	}
	if slices.Contains(exts, ".interaction") {
		d.checkInteraction(dir + "/" + base + ".interaction")
	}
	if slices.Contains(exts, ".yaml") {
		if node, ok := readYAML(d.p.FS, dir+"/"+base+".yaml", d.defects); ok {
			d.caseConfig(node, &c)
		}
	}
	var args string
	texts := map[string]*string{".args": &args, ".hint": &c.Hint, ".desc": &c.Description} // of older versions
	for _, ext := range exts {
		if to := texts[ext]; to != nil {
			if data, err := ReadBounded(d.p.FS, dir+"/"+base+ext, MaxYAML); err != nil {
				d.defects.Add(err)
			} else {
				*to = string(data)
			}
		}
	}
	if args != "" {
		c.Args = strings.Fields(args)
	}
	c.Name, c.Group, c.FS = strings.TrimPrefix(dir+"/"+base, "data/"), g, d.p.FS
	c.OutputValidatorArgs = d.validatorArgs(c.OutputValidatorArgs)
	if slices.Contains(exts, ".files") {
		var err error
		if c.Files, err = filesBelow(d.p.FS, dir+"/"+base+".files", MaxProgramFiles); err != nil {
			d.defects.Add(Unreadable(d.p.FS, dir+"/"+base+".files", err))
		}
	}
	g.Cases = append(g.Cases, &c)
}

// complete reports whether a case has the files that it needs, all readable. Otherwise it
// adds a defect, or counts a sample that is shown but not run.
func (d *dataReader) complete(dir, base string, exts []string, g *Group, at func(ext string) string) bool {
	if base == "test_group" && !d.p.Format.Legacy {
		d.defects.Addf(at(exts[0]), "a case must not be named test_group")
		return false
	}
	if !slices.Contains(exts, ".in") {
		slices.Sort(exts)
		if !slices.Equal(exts, []string{".interaction"}) && !(isSample(dir) && onlyShown(exts)) {
			d.defects.Addf(at(exts[0]), "belongs to a case without input: %s.in is missing", base)
			return false
		}
		// A sample that is shown and not run (legacy, "Interactive Problems").
		// Drafts forbid such samples, but packages of draft versions have them.
		if g.Shown++; d.p.Format.Strict {
			d.defects.warnf(at(exts[0]), "is shown but not run: %s.in is missing", base)
		}
		return false
	}
	for _, ext := range append([]string{".in"}, d.needs...) {
		if !slices.Contains(exts, ext) {
			d.defects.Addf(at(".in"), "case without %s: %s%s is missing",
				map[string]string{".ans": "answer", ".out": "output"}[ext], base, ext)
			return false
		}
		f, err := OpenRegular(d.p.FS, dir+"/"+base+ext)
		if err != nil {
			d.defects.Add(err)
			return false
		}
		f.Close()
	}
	return true
}
