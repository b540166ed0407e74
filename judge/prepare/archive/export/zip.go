package export

import (
	"archive/zip"
	"context"
	"errors"
	"io"

	"crucible/judge/prepare/archive"
	"crucible/judge/problem"
)

// WriteZip writes an exported package to a zip, which appears when it is complete. The
// same package gives the same bytes. It does not replace an existing file unless force is
// set or the file is an export of the same problem to the same format.
func WriteZip(ctx context.Context, p *Package, to string, force bool) (*archive.PackResult, error) {
	return archive.WriteZip(ctx, to, commentFor(p.Source.ID, p.Format), force, func(z *zip.Writer) (int, error) {
		return len(p.Files), archive.ZipFiles(ctx, z, p.Source, p.Files, folderOf(p))
	})
}

// commentFor returns the zip comment of an export of a problem.
func commentFor(id string, f *Format) string { return problem.ZipComment("export", id, f.Name) }

// WriteContest writes a zip with the files of the contest id, and a folder of each package,
// named after its id.
func WriteContest(ctx context.Context, id string, f *Format, files map[string]archive.File, packages []*Package,
	to string, force bool) (*archive.PackResult, error) {
	comment := problem.ZipComment("export --contest", id, f.Name)
	return archive.WriteZip(ctx, to, comment, force, func(z *zip.Writer) (int, error) {
		if err := archive.ZipFiles(ctx, z, nil, files, ""); err != nil {
			return 0, err
		}
		n := len(files)
		for _, p := range packages {
			if err := archive.ZipFiles(ctx, z, p.Source, p.Files, p.Source.ID+"/"); err != nil {
				return 0, err
			}
			n += len(p.Files)
		}
		return n, nil
	})
}

// EncodeZip writes the zip of an exported package.
func EncodeZip(ctx context.Context, to io.Writer, p *Package) error {
	z := zip.NewWriter(to)
	if err := archive.ZipFiles(ctx, z, p.Source, p.Files, folderOf(p)); err != nil {
		return err
	}
	return errors.Join(z.SetComment(commentFor(p.Source.ID, p.Format)), z.Close())
}

// folderOf returns the folder in a zip that contains a package, with a slash.
func folderOf(p *Package) string {
	if p.Format.Root {
		return ""
	}
	return p.Source.ID + "/"
}
