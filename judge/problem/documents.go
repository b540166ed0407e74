package problem

import (
	"io/fs"
	"slices"
	"strings"
)

// Documents returns the files NAME.LANGUAGE.TYPE of a folder by language, and further
// files of the same languages. TYPE is one of StatementTypes of the format. If unnamed
// is set, NAME.TYPE is English.
func (p *Problem) Documents(dir, name string, unnamed bool) (have map[string]string, twice []string, err error) {
	entries, err := fs.ReadDir(p.FS, dir)
	have = make(map[string]string)
	for _, e := range entries {
		parts := strings.Split(e.Name(), ".")
		if len(parts) == 2 && unnamed {
			parts = slices.Insert(parts, 1, "en")
		}
		switch at := dir + "/" + e.Name(); {
		case len(parts) != 3 || parts[0] != name || !slices.Contains(p.Spec().StatementTypes, parts[2]) ||
			!IsLanguage(parts[1]):
		case have[parts[1]] != "":
			twice = append(twice, at)
		default:
			have[parts[1]] = at
		}
	}
	return have, twice, err
}
