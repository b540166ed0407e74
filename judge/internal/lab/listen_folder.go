package lab

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"crucible/judge/internal/cli"
	"crucible/judge/internal/osfile"
	"crucible/judge/prepare/archive"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// identityFile is the file in the folder of a problem by which judge listen finds it again.
const identityFile = ".judge.json"

// Bounds of the search for the folder of a problem.
const (
	maxIdentity = 4 << 20 // bytes of an identityFile
	maxSearched = 10_000  // folders
)

// An identity is what judge listen knows of a problem in a folder.
type identity struct {
	URL     string   `json:"url"` // the problem; "" if its page has none, and name and group are then
	Name    string   `json:"name"`
	Group   string   `json:"group"`
	Samples []string `json:"samples"` // digests of the samples that were received
}

// is reports whether a task is of this problem.
func (i *identity) is(t *archive.Task) bool {
	return i.URL == t.URL && (t.URL != "" || i.Name == t.Name && i.Group == t.Group)
}

// readIdentity returns the identity in a folder, or nil.
func readIdentity(dir string) *identity {
	data, ok, err := osfile.ReadBack(dir, identityFile, maxIdentity)
	if !ok || err != nil {
		return nil
	}
	var i identity
	if err := json.Unmarshal(data, &i); err != nil {
		return nil
	}
	return &i
}

func (i *identity) write(dir string) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // so that & in an address can be read
	e.SetIndent("", "  ")
	if err := e.Encode(i); err != nil {
		return err
	}
	return osfile.WriteAtomic(filepath.Join(dir, identityFile), b.Bytes())
}

// digest names a sample, with line ends as an import writes them.
func digest(input, output string) string {
	h := sha256.New()
	for _, text := range []string{input, output} {
		text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
		fmt.Fprintf(h, "%q\n", strings.TrimSuffix(text, "\n"))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// receive keeps a task in the folder of its problem, which it makes unless it exists, and
// watches the folder.
func (l *listener) receive(ctx context.Context, t *archive.Task) error {
	dir, known, err := l.find(t)
	if err != nil {
		return err
	}
	if known == nil {
		dir, err = l.create(ctx, t)
	} else {
		err = l.again(ctx, t, dir, known)
	}
	if err != nil {
		return err
	}
	l.talks[dir] = t.Interactive
	if l.f.once {
		return nil
	}
	if err := l.files.Add(dir); err != nil {
		cli.Warn(l.e, fmt.Errorf("%s: is not watched: %w", terminal.Clean(dir), err)) // the problem is kept
	}
	return nil
}

// find returns the folder of the problem of a task, among the folders of the listener and
// those in them, and what is known of it; nil if there is none.
func (l *listener) find(t *archive.Task) (dir string, known *identity, err error) {
	searched, last := 0, ""
	for dir := range l.folders() {
		if i := readIdentity(dir); i != nil && i.is(t) {
			return dir, i, nil
		}
		if searched++; searched == maxSearched {
			last = dir
			break
		}
	}
	if last != "" {
		return "", nil, fmt.Errorf("%s: more than %d folders, so %s may be in one that is not searched",
			terminal.Clean(l.f.folder), maxSearched, terminal.Clean(t.Name))
	}
	return "", nil, nil
}

// folders yields the folders in the listener's folder, and those in them.
func (l *listener) folders() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, top := range subfolders(l.f.folder) {
			if !yield(top) {
				return
			}
			for _, dir := range subfolders(top) {
				if !yield(dir) {
					return
				}
			}
		}
	}
}

// subfolders returns the paths of the folders in a folder that are not hidden.
func subfolders(dir string) (all []string) {
	entries, _ := os.ReadDir(dir) // one that cannot be read has no problems
	for _, e := range entries {
		if name := filepath.Join(dir, e.Name()); !strings.HasPrefix(e.Name(), ".") && osfile.IsDir(name) {
			all = append(all, name)
		}
	}
	return all
}

// free returns the first of the names that no file or folder in dir has, even if a file
// system takes capitals, or the forms of one letter, for the same.
func free(dir string, names iter.Seq[string]) (string, error) {
	fold := func(s string) string { return strings.ToLower(norm.NFKC.String(s)) }
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	taken := make(map[string]bool)
	for _, e := range entries {
		taken[fold(e.Name())] = true
	}
	for name := range names {
		if !taken[fold(name)] {
			return name, nil
		}
	}
	return "", fmt.Errorf("%s: all names for the problem are taken", terminal.Clean(dir))
}

// contest returns the folder for a problem of the group of a task, and whether it is new.
func (l *listener) contest(t *archive.Task) (root string, made bool, err error) {
	for name := range t.Contests() {
		root = filepath.Join(l.f.folder, name)
		if _, err := os.Lstat(root); errors.Is(err, os.ErrNotExist) {
			return root, true, os.Mkdir(root, 0o755)
		}
		// It may be a file, or a problem.
		if osfile.IsDir(root) && !problem.IsPackage(root) && readIdentity(root) == nil {
			return root, false, nil
		}
	}
	return "", false, fmt.Errorf("%s: all names for the contest are taken", terminal.Clean(l.f.folder))
}

// create makes the folder of a task: a problem package with its samples and limits, and
// the program beside them. The folder appears when it is complete.
func (l *listener) create(ctx context.Context, t *archive.Task) (dir string, err error) {
	root, made, err := l.contest(t)
	if err != nil {
		return "", err
	}
	id, err := free(root, t.Folders())
	var temp string
	if err == nil {
		temp, err = os.MkdirTemp(root, ".judge-")
	}
	defer func() {
		if temp != "" {
			err = errors.Join(err, osfile.RemoveAll(temp))
		}
		if err != nil && made {
			os.Remove(root) // fails if another program has put a file into it
		}
	}()
	if err != nil {
		return "", err
	}
	from, err := l.importing(ctx, t, temp)
	if err == nil {
		err = os.WriteFile(filepath.Join(from, id+l.ext), l.program, 0o644)
	}
	i := identity{URL: t.URL, Name: t.Name, Group: t.Group, Samples: digests(t.Tests)}
	if err == nil {
		err = i.write(from)
	}
	dir = filepath.Join(root, id)
	if err == nil {
		err = os.Rename(from, dir)
	}
	if err != nil {
		return "", err
	}
	samples := terminal.Count(len(t.Tests), "sample")
	if t.Interactive {
		samples += ", interactive: judge test --interactive lets you talk to the program"
	}
	program := terminal.Clean(filepath.Join(dir, id+l.ext))
	fmt.Fprintf(l.e.Stdout, "%s: %s, %s\n", l.e.Palette.Bold(terminal.Clean(t.Name)), program, samples)
	return dir, nil
}

func digests(tests []archive.Test) []string {
	all := []string{}
	for _, one := range tests {
		if d := digest(one.Input, one.Output); !slices.Contains(all, d) {
			all = append(all, d)
		}
	}
	return all
}

// again receives a problem that has a folder. Samples that are new become further cases;
// nothing else in the folder changes.
func (l *listener) again(ctx context.Context, t *archive.Task, dir string, known *identity) error {
	known.Samples = append(known.Samples, present(dir)...)
	var more []archive.Test
	for _, one := range t.Tests {
		if d := digest(one.Input, one.Output); !slices.Contains(known.Samples, d) {
			known.Samples, more = append(known.Samples, d), append(more, one)
		}
	}
	if len(more) == 0 {
		fmt.Fprintf(l.e.Stdout, "%s: exists already, and is left as it is\n", terminal.Clean(dir))
		return nil
	}
	added, err := l.adding(ctx, t, dir, more)
	if err == nil {
		slices.Sort(known.Samples)
		known.Samples = slices.Compact(known.Samples)
		err = known.write(dir)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(l.e.Stdout, "%s: exists already; new: %s; all else is left as it is\n",
		terminal.Clean(dir), strings.Join(cli.AtMost(5, added), ", "))
	return nil
}

// present returns the digests of the samples in a folder.
func present(dir string) (all []string) {
	const most = 64 << 20 // bytes, as of a message
	entries, _ := os.ReadDir(sampleFolder(dir))
	for _, e := range entries {
		if stem, ok := strings.CutSuffix(e.Name(), ".in"); ok {
			input, ok1, _ := osfile.ReadBack(sampleFolder(dir), e.Name(), most)
			answer, ok2, _ := osfile.ReadBack(sampleFolder(dir), stem+".ans", most)
			if ok1 && ok2 {
				all = append(all, digest(string(input), string(answer)))
			}
		}
	}
	return all
}

func sampleFolder(dir string) string { return filepath.Join(dir, "data", "sample") }

// adding adds samples to the problem in a folder and returns the names of their cases. A
// folder that has no package yet, because the problem had no samples, gets one.
func (l *listener) adding(
	ctx context.Context, t *archive.Task, dir string, more []archive.Test,
) (added []string, err error) {
	if !problem.IsPackage(dir) {
		return l.filling(ctx, t, dir)
	}
	have, err := problem.Folder(dir)
	if err != nil {
		return nil, err
	}
	defer have.Close()
	done, err := importTests(ctx, archive.Import{Into: "sample"}, more, lastNumber(sampleFolder(dir))+1, "", "", have)
	if err != nil {
		return nil, err
	}
	for _, c := range done.Cases {
		added = append(added, c.Name)
	}
	return added, nil
}

// lastNumber returns the largest number that the name of a file in a folder begins with.
func lastNumber(dir string) (last int) {
	entries, _ := os.ReadDir(dir) // a folder that does not exist has none
	for _, e := range entries {
		stem, _, _ := strings.Cut(e.Name(), ".")
		if n, err := strconv.Atoi(stem); err == nil && n < 1<<30 {
			last = max(last, n)
		}
	}
	return last
}

// filling moves a package of the task into a folder, unless that has one of its files.
func (l *listener) filling(ctx context.Context, t *archive.Task, dir string) (added []string, err error) {
	temp, err := os.MkdirTemp(dir, ".judge-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, osfile.RemoveAll(temp)) }()
	from, err := l.importing(ctx, t, temp)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if to := filepath.Join(dir, e.Name()); exists(to) {
			return nil, fmt.Errorf("%s: already exists, so the samples are not written", terminal.Clean(to))
		}
	}
	for _, e := range entries {
		if err := os.Rename(filepath.Join(from, e.Name()), filepath.Join(dir, e.Name())); err != nil {
			return nil, err
		}
		added = append(added, e.Name())
	}
	return added, nil
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// importing makes the package of a task below root, or an empty folder if the task has no
// samples, because a package without cases is invalid. It returns the folder.
func (l *listener) importing(ctx context.Context, t *archive.Task, root string) (dir string, err error) {
	const id = "problem"
	dir = filepath.Join(root, id)
	if len(t.Tests) == 0 {
		return dir, os.Mkdir(dir, 0o755)
	}
	name := cmp.Or(t.Name, t.URL)
	im := archive.Import{Into: "sample", Name: name, TimeLimit: t.TimeLimit, Memory: t.Memory, Source: t.Group, URL: t.URL}
	_, err = importTests(ctx, im, t.Tests, 1, root, id, nil)
	return dir, err
}

// importTests imports samples, which get numbers from first on, as a new problem or into
// the one that exists.
func importTests(
	ctx context.Context, im archive.Import, tests []archive.Test, first int, root, id string, have *problem.Source,
) (done *archive.ImportResult, err error) {
	temp, err := os.MkdirTemp("", "crucible-samples-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	for i, one := range tests {
		name := filepath.Join(temp, strconv.Itoa(first+i))
		err := os.WriteFile(name+".in", []byte(one.Input), 0o644)
		if err = errors.Join(err, os.WriteFile(name+".ans", []byte(one.Output), 0o644)); err != nil {
			return nil, err
		}
	}
	from, err := problem.Folder(temp)
	if err != nil {
		return nil, err
	}
	defer from.Close()
	return im.Import(ctx, from, root, cmp.Or(id, "problem"), true, have)
}
