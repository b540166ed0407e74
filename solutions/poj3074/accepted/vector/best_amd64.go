package main

// best returns the fastest kernel that this machine can run.
func best() kernel {
	if hasAVX2() {
		return kernel{passAVX2, readAVX2, writeAVX2, saveAMD64, restoreAMD64}
	}
	return portable
}

// hasAVX2 reports whether the processor has AVX2 and the system saves its
// registers.
func hasAVX2() bool {
	const (
		osxsave, avx = 1 << 27, 1 << 28 // leaf 1, ecx
		avx2         = 1 << 5           // leaf 7, ebx
		registers    = 1<<1 | 1<<2      // SSE's and AVX's
	)
	most, _, _ := cpuid(0, 0)
	if most < 7 {
		return false
	}
	_, _, ecx := cpuid(1, 0)
	if ecx&osxsave == 0 || ecx&avx == 0 || xgetbv()&registers != registers {
		return false
	}
	_, ebx, _ := cpuid(7, 0)
	return ebx&avx2 != 0
}

// The rest is in assembly.

//go:noescape
func passAVX2(in *grids) (fine, still, full uint16)

//go:noescape
func readAVX2(in *grids, lane int, puzzle *[cells]byte)

//go:noescape
func writeAVX2(in *grids, lane int, puzzle *[cells]byte)

//go:noescape
func saveAMD64(in *grids, lane int, to *frame)

//go:noescape
func restoreAMD64(in *grids, lane int, from *frame)

func cpuid(leaf, part uint32) (eax, ebx, ecx uint32)

// xgetbv needs osxsave.
func xgetbv() (low uint32)
