#include "textflag.h"

#define SYS_clone 220

// func vfork(flags uintptr, pidfd *int32) (pid, errno uintptr)
//
// Parent and child share this stack, and the child returns first and calls
// other functions. The return address is in the link register, which each of
// the two has to itself.
TEXT ·vfork(SB),NOSPLIT,$0-32
	MOVD	flags+0(FP), R0
	MOVD	ZR, R1
	MOVD	pidfd+8(FP), R2
	MOVD	ZR, R3
	MOVD	ZR, R4
	MOVD	$SYS_clone, R8
	SVC
	CMN	$4095, R0
	BCS	failed
	MOVD	R0, pid+16(FP)
	MOVD	ZR, errno+24(FP)
	RET
failed:
	NEG	R0, R0
	MOVD	ZR, pid+16(FP)
	MOVD	R0, errno+24(FP)
	RET
