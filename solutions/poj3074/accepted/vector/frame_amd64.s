#include "go_asm.h"
#include "textflag.h"
#include "lanes_amd64.h"

// Lanes to frames and back. A lane is 2*BX bytes into each word.

// Rows of a frame are put together in registers: who reads a part soon after
// would have to wait for smaller stores.

// func saveAMD64(in *grids, lane int, to *frame)
TEXT ·saveAMD64(SB), NOSPLIT, $0-24
	MOVQ in+0(FP), SI
	MOVQ lane+8(FP), BX
	MOVQ to+16(FP), DI
	MOVQ $11, CX // can, done and pair lie one after the other

row:
	MOVWLZX 3*WORD(SI)(BX*2), AX
	MOVWLZX 7*WORD(SI)(BX*2), DX
	MOVWLZX 8*WORD(SI)(BX*2), R8
	SHLQ    $16, AX
	SHLQ    $16, DX
	MOVW    2*WORD(SI)(BX*2), AX
	MOVW    6*WORD(SI)(BX*2), DX
	SHLQ    $16, AX
	SHLQ    $16, DX
	MOVW    1*WORD(SI)(BX*2), AX
	MOVW    5*WORD(SI)(BX*2), DX
	SHLQ    $16, AX
	SHLQ    $16, DX
	MOVW    0*WORD(SI)(BX*2), AX
	MOVW    4*WORD(SI)(BX*2), DX
	MOVQ    AX, 0(DI)
	MOVQ    DX, 8(DI)
	MOVQ    R8, 16(DI)
	ADDQ    $(9*WORD), SI
	ADDQ    $24, DI
	DECQ    CX
	JNZ     row
	RET

// func restoreAMD64(in *grids, lane int, from *frame)
TEXT ·restoreAMD64(SB), NOSPLIT, $0-24
	MOVQ in+0(FP), SI
	MOVQ lane+8(FP), BX
	MOVQ from+16(FP), DI
	MOVQ $10, CX // can and done

row:
	MOVQ 0(DI), AX
	MOVQ 8(DI), DX
	MOVQ 16(DI), R8
	MOVW AX, 0*WORD(SI)(BX*2)
	MOVW DX, 4*WORD(SI)(BX*2)
	MOVW R8, 8*WORD(SI)(BX*2)
	SHRQ $16, AX
	SHRQ $16, DX
	MOVW AX, 1*WORD(SI)(BX*2)
	MOVW DX, 5*WORD(SI)(BX*2)
	SHRQ $16, AX
	SHRQ $16, DX
	MOVW AX, 2*WORD(SI)(BX*2)
	MOVW DX, 6*WORD(SI)(BX*2)
	SHRQ $16, AX
	SHRQ $16, DX
	MOVW AX, 3*WORD(SI)(BX*2)
	MOVW DX, 7*WORD(SI)(BX*2)
	ADDQ $(9*WORD), SI
	ADDQ $24, DI
	DECQ CX
	JNZ  row
	RET
