package problem

import (
	"archive/zip"
	"cmp"
	"compress/flate"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"crucible/judge/internal/lazy"
	"crucible/judge/terminal"
)

// Limits that a zip must satisfy before it is unpacked, because zips are untrusted.
const (
	maxZipFiles = 200_000
	maxZipBytes = 8 << 30 // all files together, unpacked
	maxZipRatio = 2000    // compression ratio of a file over 1 MiB, and of the archive; deflate reaches at most about 1030
)

// ZipFS is the file system of a package in a zip. The package is at the top level
// or in one folder.
type ZipFS struct {
	file      *os.File
	r         *zip.Reader
	Prefix    string            // folder of the package in the zip; "" for the top level
	links     map[string]string // targets of the symbolic links in the archive
	Broken    error             // if not nil, the reason why the zip cannot be read, which every call returns
	departure error             // names with backslashes; nil if there are none
}

func isZip(name string) bool {
	return strings.HasSuffix(name, ".zip") || strings.HasSuffix(name, ".kpp")
}

func trimZip(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(name, ".zip"), ".kpp")
}

// OpenZip opens the package in a zip. It returns a [Defect] if a name or link leads
// outside its folder, if an entry is not a file, folder or link, if a name occurs
// twice, or if the contents exceed 200,000 files, 8 GiB or a compression ratio of
// 2000.
func OpenZip(name string) (*Source, error) {
	// Opening a pipe would wait for its other end.
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, Defectf(name, "expected a regular file")
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	z, err := readZip(f, name)
	if err != nil {
		f.Close()
		return nil, err
	}
	s := &Source{ID: trimZip(path.Base(strings.ReplaceAll(name, "\\", "/"))), Path: name, Zip: z}
	s.ID = cmp.Or(s.exported(), s.ID)
	return s, nil
}

func readZip(f *os.File, name string) (*ZipFS, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	r, err := zip.NewReader(f, info.Size())
	if err != nil {
		return nil, Defectf(name, "not a zip archive: %v", err)
	}
	if len(r.File) > maxZipFiles {
		return nil, Defectf(name, "%d files, expected at most %d", len(r.File), maxZipFiles)
	}
	backslashes := SlashNames(r)
	seen, links := make(map[string]*zip.File), make(map[string]string)
	var total uint64
	folders := make(map[string]string) // that have a package, by the name of the file that says so
	top := false
	for _, zf := range r.File {
		defect := func(format string, args ...any) error {
			return Defectf(name+":"+terminal.QuoteName(zf.Name), format, args...)
		}
		clean := strings.TrimSuffix(zf.Name, "/")
		switch {
		case !utf8.ValidString(clean):
			return nil, defect("is not UTF-8: unpack the archive with its code page, as unzip -O GBK does, " +
				"and give the folder or a new archive")
		case !fs.ValidPath(clean), drive().MatchString(clean):
			return nil, defect("leads outside its folder or is not a relative path")
		case strings.Count(clean, "/") > MaxListedDepth:
			return nil, defect("is more than %d folders deep", MaxListedDepth)
		case seen[clean] != nil:
			return nil, defect("occurs twice in the archive")
		case zf.Mode()&fs.ModeSymlink != 0:
			to, err := readLink(zf)
			if err != nil {
				return nil, defect("symbolic link: %v", err)
			}
			links[clean] = to
		case !zf.Mode().IsRegular() && !zf.Mode().IsDir():
			return nil, defect("is neither a file nor a folder")
		case zf.Flags&1 != 0: // APPNOTE 4.4.4
			return nil, defect("is encrypted: expected an archive without a password")
		case zf.UncompressedSize64 > 1<<20 && zf.UncompressedSize64/maxZipRatio > zf.CompressedSize64:
			return nil, defect("expands from %d bytes to %d: a zip bomb", zf.CompressedSize64, zf.UncompressedSize64)
		}
		seen[clean] = zf
		total += zf.UncompressedSize64
		if total > maxZipBytes {
			return nil, Defectf(name, "expands to more than %s: a zip bomb", terminal.Bytes(maxZipBytes))
		}
		dir, base := path.Split(clean)
		switch dir = strings.TrimSuffix(dir, "/"); {
		case !slices.Contains(packageFiles, base), strings.Contains(dir, "/"), IgnoredName(dir) && dir != "":
		case dir == "":
			top = true
		case folders[base] != "" && base == ProblemFile:
			return nil, defect("a second package in the archive; the first is in %s", terminal.QuoteName(folders[base]))
		case folders[base] == "":
			folders[base] = dir
		}
	}
	if total > 1<<20 && total/maxZipRatio > uint64(info.Size()) {
		return nil, Defectf(name, "expands from %d bytes to %d: a zip bomb", info.Size(), total)
	}
	if err := disjoint(r, name, info.Size()); err != nil {
		return nil, err
	}
	for _, zf := range r.File {
		clean := strings.TrimSuffix(zf.Name, "/")
		for dir := path.Dir(clean); dir != "."; dir = path.Dir(dir) {
			if above := seen[dir]; above != nil && !above.Mode().IsDir() {
				return nil, Defectf(name+":"+terminal.QuoteName(dir), "is a file and also a folder, of %s",
					terminal.QuoteName(clean))
			}
		}
	}
	prefix := ""
	if !top {
		prefix = cmp.Or(folders[ProblemFile], folders[domjudgeFile])
	}
	z := &ZipFS{file: f, r: r, Prefix: prefix, links: links}
	if backslashes > 0 {
		z.departure = Defectf(name, `%s with \: read as /, which separates names in a zip (APPNOTE 4.4.17.1)`,
			terminal.Count(backslashes, "name"))
	}
	return z, z.checkLinks(name)
}

// drive matches names that begin with a drive of Windows.
var drive = lazy.Regexp(`^[a-zA-Z]:`)

// SlashNames separates the names of an archive by single slashes, so that checks and reads
// see one name, and returns the number of names that had a backslash, which some programs
// on Windows write. It must be called before the first read. Names that are not UTF-8 do
// not change, because a backslash can be a part of a letter there, and neither do names
// with "..".
func SlashNames(r *zip.Reader) (backslashes int) {
	for _, f := range r.File {
		if !utf8.ValidString(f.Name) {
			continue
		}
		if strings.Contains(f.Name, "\\") {
			f.Name, backslashes = strings.ReplaceAll(f.Name, "\\", "/"), backslashes+1
		}
		if f.Name == "" || slices.Contains(strings.Split(f.Name, "/"), "..") {
			continue
		}
		end := ""
		if strings.HasSuffix(f.Name, "/") {
			end = "/"
		}
		f.Name = strings.TrimSuffix(path.Clean(f.Name), "/") + end
	}
	r.File = slices.DeleteFunc(r.File, func(f *zip.File) bool { return f.Name == "./" })
	return backslashes
}

// disjoint rejects an archive in which files overlap, because a few bytes could
// then expand to any size.
func disjoint(r *zip.Reader, name string, size int64) error {
	type extent struct {
		file       *zip.File
		start, end int64
	}
	const header = 30 // bytes of a local file header, before the file's name, which may differ from the central one
	files := make([]extent, 0, len(r.File))
	for _, zf := range r.File {
		data, err := zf.DataOffset()
		if err != nil {
			return Defectf(name+":"+terminal.QuoteName(zf.Name), "%v", err)
		}
		if zf.CompressedSize64 > uint64(size) {
			return Defectf(name+":"+terminal.QuoteName(zf.Name), "has %d compressed bytes in an archive of %d",
				zf.CompressedSize64, size)
		}
		files = append(files, extent{zf, data - header, data + int64(zf.CompressedSize64)})
	}
	slices.SortFunc(files, func(a, b extent) int {
		return cmp.Or(cmp.Compare(a.start, b.start),
			cmp.Compare(a.end, b.end))
	})
	for i := 1; i < len(files); i++ {
		if before, f := files[i-1], files[i]; f.start < before.end {
			return Defectf(name+":"+terminal.QuoteName(f.file.Name), "shares bytes of the archive with %s: a zip bomb",
				terminal.QuoteName(before.file.Name))
		}
	}
	return nil
}

// Close closes the zip.
func (z *ZipFS) Close() error {
	if z.file == nil {
		return nil
	}
	return z.file.Close()
}

// Open opens a file or folder by its name in the package. Reading a damaged file
// returns a [Defect].
func (z *ZipFS) Open(name string) (fs.File, error) {
	if z.Broken != nil {
		return nil, z.Broken
	}
	to, err := z.resolve(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	f, err := z.r.Open(to)
	if err != nil {
		return nil, err
	}
	if _, isDir := f.(fs.ReadDirFile); isDir {
		return f, nil
	}
	return &zipFile{f, z.file.Name() + ":" + to}, nil
}

// A zipFile is a file of an archive. It returns a [Defect] if the size or contents differ
// from what the archive declares; the package zip stops at the declared size.
type zipFile struct {
	fs.File
	name string
}

func (f *zipFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	what := ""
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		what = "less"
	case errors.Is(err, zip.ErrFormat):
		what = "more"
	case errors.Is(err, zip.ErrChecksum), errors.As(err, new(flate.CorruptInputError)):
		what = "something else"
	default:
		return n, err
	}
	return n, Defectf(f.name, "unpacks to %s than the archive says", what)
}
