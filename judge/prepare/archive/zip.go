package archive

import (
	"archive/zip"
	"context"
	"errors"
	"io"
	"maps"
	"slices"

	"crucible/judge/problem"
)

// WriteZip makes an archive whose files put adds and counts. It does not replace an existing
// file unless force is set or the file is an archive with the comment.
func WriteZip(
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

// ZipFiles adds files to a zip, in the order of their names, each with a prefix. It reads
// their contents from a source.
func ZipFiles(ctx context.Context, z *zip.Writer, from *problem.Source, files map[string]File,
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

// writeFile writes the contents of a file.
func writeFile(ctx context.Context, w io.Writer, source *problem.Source, file File) error {
	switch {
	case file.Zip != nil:
		z := zip.NewWriter(w)
		return errors.Join(ZipFiles(ctx, z, source, file.Zip, ""), z.Close())
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
