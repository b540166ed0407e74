package adequacy

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"crucible/judge/build"
)

// codeOf returns a hash of the compiled code of a program: what the compiler made of the source after
// optimisation, without line numbers, symbols and notes. Programs with equal hashes do
// the same. It is "" if that is not known: for languages that are not compiled, and for
// executables that are not ELF files. The error is for files that cannot be read.
func codeOf(p *build.Program) (string, error) {
	if p.Compile == nil {
		return "", nil
	}
	sum, known := sha256.New(), false
	bin := filepath.Join(p.Dir, "bin")
	err := filepath.WalkDir(bin, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		within, err := filepath.Rel(bin, name)
		if err != nil {
			return err
		}
		code, err := codeOfFile(name)
		if err != nil {
			return err
		}
		known = known || code != nil
		fmt.Fprintf(sum, "%q %x\n", within, code)
		return nil
	})
	if err != nil || !known {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// mostCode is the size of the largest file whose code is read, in bytes.
const mostCode = 256 << 20

// codeOfFile returns a hash of the code in a file; nil if its format is not known. Files of
// Java's bytecode have their line numbers, so changes that move lines make them differ.
func codeOfFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() > mostCode {
		return nil, err
	}
	sum := sha256.New()
	head := make([]byte, 4)
	switch n, err := f.ReadAt(head, 0); {
	case err != nil && err != io.EOF:
		return nil, err
	case bytes.Equal(head[:n], []byte(elf.ELFMAG)):
		if !hashSections(sum, f) {
			return nil, nil
		}
	case bytes.Equal(head[:n], []byte{0xca, 0xfe, 0xba, 0xbe}) && filepath.Ext(name) == ".class":
		if _, err := io.Copy(sum, f); err != nil {
			return nil, err
		}
	default:
		return nil, nil
	}
	return sum.Sum(nil), nil
}

// descriptive are sections that describe the code and do not change what it does: tables
// of lines and of modules, which depend on the text of the source.
var descriptive = []string{".gopclntab", ".go.buildinfo", ".comment"}

// hashSections writes the sections of an ELF file that are loaded into memory. It reports
// whether it could read them: package elf may panic at a file that a hostile source made.
func hashSections(to io.Writer, file io.ReaderAt) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	f, err := elf.NewFile(file)
	if err != nil || f.Type != elf.ET_EXEC && f.Type != elf.ET_DYN {
		return false
	}
	sections := slices.Clone(f.Sections)
	slices.SortStableFunc(sections, func(a, b *elf.Section) int { return cmp.Compare(a.Name, b.Name) })
	left := int64(mostCode)
	for _, s := range sections {
		if s.Flags&elf.SHF_ALLOC == 0 || s.Type == elf.SHT_NOTE || slices.Contains(descriptive, s.Name) {
			continue
		}
		fmt.Fprintf(to, "%q %d %d %d\n", s.Name, s.Type, s.Flags, s.Size)
		if s.Type == elf.SHT_NOBITS {
			continue
		}
		n, err := io.Copy(to, io.NewSectionReader(file, int64(s.Offset), int64(min(s.FileSize, mostCode))))
		if left -= n; err != nil || left < 0 {
			return false
		}
	}
	return true
}
