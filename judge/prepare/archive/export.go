package archive

import (
	"archive/zip"
	"context"
	"errors"
	"io"
	"maps"
	"slices"

	"crucible/judge/prepare/archive/export"
	"crucible/judge/prepare/archive/foreign"
	"crucible/judge/problem"
)

// WriteZip writes an exported package to a zip, which appears when it is complete. The
// same package gives the same bytes. It does not replace an existing file unless force is
// set or the file is an export of the same problem to the same format.
func WriteZip(ctx context.Context, p *export.Package, to string, force bool) (*PackResult, error) {
	return writeZip(ctx, to, commentFor(p.Source.ID, p.Format), force, func(z *zip.Writer) (int, error) {
		return len(p.Files), zipFiles(ctx, z, p.Source, p.Files, folderOf(p))
	})
}

// commentFor returns the zip comment of an export of a problem.
func commentFor(id string, f *export.Format) string { return problem.ZipComment("export", id, f.Name) }

// WriteContest writes a zip with the files of the contest id, and a folder of each package,
// named after its id.
func WriteContest(ctx context.Context, id string, f *export.Format, files map[string][]byte, packages []*export.Package,
	to string, force bool) (*PackResult, error) {
	return writeZip(ctx, to, problem.ZipComment("export --contest", id, f.Name), force, func(z *zip.Writer) (int, error) {
		for _, name := range slices.Sorted(maps.Keys(files)) {
			w, err := z.CreateHeader(zipHeader(name, false))
			if err != nil {
				return 0, err
			}
			if _, err := w.Write(files[name]); err != nil {
				return 0, err
			}
		}
		n := len(files)
		for _, p := range packages {
			if err := zipFiles(ctx, z, p.Source, p.Files, p.Source.ID+"/"); err != nil {
				return 0, err
			}
			n += len(p.Files)
		}
		return n, nil
	})
}

// EncodeZip writes the zip of an exported package.
func EncodeZip(ctx context.Context, to io.Writer, p *export.Package) error {
	z := zip.NewWriter(to)
	if err := zipFiles(ctx, z, p.Source, p.Files, folderOf(p)); err != nil {
		return err
	}
	return errors.Join(z.SetComment(commentFor(p.Source.ID, p.Format)), z.Close())
}

// writeZip makes an archive whose files put adds and counts.
func writeZip(
	ctx context.Context, to, comment string, force bool, put func(*zip.Writer) (int, error),
) (packed *PackResult, err error) {
	f, err := newZip(to, comment, force)
	if err != nil {
		return nil, err
	}
	defer f.Discard()
	packed = &PackResult{Path: to}
	return packed, packed.write(ctx, f, comment, func(z *zip.Writer) (err error) {
		packed.Files, err = put(z)
		return err
	})
}

// folderOf returns the folder in a zip that contains a package, with a slash.
func folderOf(p *export.Package) string {
	if p.Format.Root {
		return ""
	}
	return p.Source.ID + "/"
}

// zipFiles adds the files of a package to a folder of a zip, in order.
func zipFiles(ctx context.Context, z *zip.Writer, from *problem.Source, files map[string]foreign.File,
	prefix string) error {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		file := files[name]
		header := zipHeader(prefix+name, file.Executable)
		if file.Zip != nil {
			header.Method = zip.Store // its files are compressed
		}
		w, err := z.CreateHeader(header)
		if err == nil {
			err = writeFile(ctx, w, from, file)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// writeFile writes the contents of a file of an exported package.
func writeFile(ctx context.Context, w io.Writer, source *problem.Source, file foreign.File) error {
	switch {
	case file.Zip != nil:
		z := zip.NewWriter(w)
		return errors.Join(zipFiles(ctx, z, source, file.Zip, ""), z.Close())
	case file.From == "":
		_, err := w.Write(file.Data)
		return err
	}
	from, err := problem.OpenRegular(source, file.From)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, from)
	return errors.Join(err, from.Close())
}
