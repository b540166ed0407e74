#include "textflag.h"

#define SYS_clone 56

// func vfork(flags uintptr, pidfd *int32) (pid, errno uintptr)
//
// Parent and child share this stack, and the child returns first and calls
// other functions. So the return address is kept in a register, which each of
// the two has to itself, and is put back after the call.
TEXT ·vfork(SB),NOSPLIT|NOFRAME,$0-32
	MOVQ	flags+0(FP), DI
	XORL	SI, SI
	MOVQ	pidfd+8(FP), DX
	XORL	R10, R10
	XORL	R8, R8
	MOVL	$SYS_clone, AX
	POPQ	R12
	SYSCALL
	PUSHQ	R12
	CMPQ	AX, $0xfffffffffffff001
	JCC	failed
	MOVQ	AX, pid+16(FP)
	MOVQ	$0, errno+24(FP)
	RET
failed:
	NEGQ	AX
	MOVQ	$0, pid+16(FP)
	MOVQ	AX, errno+24(FP)
	RET
