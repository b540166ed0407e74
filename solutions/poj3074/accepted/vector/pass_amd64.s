#include "go_asm.h"
#include "textflag.h"
#include "lanes_amd64.h"

// One pass over 16 puzzles with AVX2, in two halves. The first takes the nine
// words of a digit at a time and keeps them in Y0 to Y8 by place; the second
// takes the nine words of a place, by digit. Halves talk to each other through
// the words lone and done.
//
// Sets of boxes have nothing but boxes in them, except where it is said that
// something lies between the triples; an AND with a clean set removes it.

DATA all<>+0(SB)/8, $0x1ce71ce71ce71ce7 // const_all in each lane
DATA all<>+8(SB)/8, $0x1ce71ce71ce71ce7
DATA all<>+16(SB)/8, $0x1ce71ce71ce71ce7
DATA all<>+24(SB)/8, $0x1ce71ce71ce71ce7
GLOBL all<>(SB), RODATA|NOPTR, $32

// Behind lone there is room for the boxes where every cell and every digit has
// a choice left, and for those where every cell is decided.
#define FINE (grids_lone+9*WORD)
#define FULL (grids_lone+10*WORD)

#define OR3(a, b, c, to) \
	VPOR a, b, to \
	VPOR c, to, to

#define AND3(by, a, b, c) \
	VPAND by, a, a \
	VPAND by, b, b \
	VPAND by, c, c

// TURN takes each box to the next in its line of three, and the last to the
// first, and may leave something between the triples. to and tmp are others
// than w.
#define TURN(step, w, tmp, to) \
	VPSLLW $step, w, to      \
	VPSRLW $(2*step), w, tmp \
	VPOR   tmp, to, to

// LOCK removes a digit from thirds of lines that are in no way to fill three
// boxes which are step bits apart. The lines are a, b and c, of three words
// each, in Y0 to Y8 in any order. With sets A, B, C of the boxes where a line's
// third has the digit, and A', B', C' those turned, a way through A's third has
// the others' in the two other boxes: turn(B & C' | C & B').
//
// That needs two registers more than there are: Y8 waits in memory.
#define LOCK(step, a0, a1, a2, b0, b1, b2, c0, c1, c2) \
	VMOVDQU Y8, 8*WORD(SI)    \
	OR3(a0, a1, a2, Y9)       \
	OR3(b0, b1, b2, Y10)      \
	OR3(c0, c1, c2, Y11)      \
	TURN(step, Y9, Y15, Y12)  \
	TURN(step, Y10, Y15, Y13) \
	TURN(step, Y11, Y15, Y14) \
	VPAND   Y10, Y14, Y15     \
	VPAND   Y11, Y13, Y8      \
	VPOR    Y8, Y15, Y15      \
	VPAND   Y11, Y12, Y8      \
	VPAND   Y9, Y14, Y11      \
	VPOR    Y11, Y8, Y8       \
	VPAND   Y9, Y13, Y9       \
	VPAND   Y10, Y12, Y10     \
	VPOR    Y10, Y9, Y9       \
	TURN(step, Y15, Y11, Y10) \
	TURN(step, Y8, Y12, Y13)  \
	TURN(step, Y9, Y14, Y15)  \
	VMOVDQU 8*WORD(SI), Y8    \
	AND3(Y10, a0, a1, a2)     \
	AND3(Y13, b0, b1, b2)     \
	AND3(Y15, c0, c1, c2)

// COUNT counts in two words: the boxes that one has (one), or both (two).
#define COUNT(a, b, one, two) \
	VPOR  a, b, one \
	VPAND a, b, two

// MERGE adds another such count to the first, and uses up two2.
#define MERGE(one, two, one2, two2) \
	VPOR  two, two2, two  \
	VPAND one, one2, two2 \
	VPOR  one, one2, one  \
	VPOR  two2, two, two

// func passAVX2(in *grids) (fine, still, full uint16)
TEXT ·passAVX2(SB), NOSPLIT, $0-14
	MOVQ    in+0(FP), DI
	LEAQ    grids_done(DI), DX
	VMOVDQU all<>(SB), Y0
	VMOVDQU Y0, FINE(DI)
	VMOVDQU Y0, FULL(DI)

	// First half. SI: the words of a digit; R8: its word of lone.
	LEAQ grids_can(DI), SI
	LEAQ grids_lone(DI), R8
	MOVQ $9, CX

	PCALIGN $32
digit:
	VMOVDQU 0*WORD(SI), Y0
	VMOVDQU 1*WORD(SI), Y1
	VMOVDQU 2*WORD(SI), Y2
	VMOVDQU 3*WORD(SI), Y3
	VMOVDQU 4*WORD(SI), Y4
	VMOVDQU 5*WORD(SI), Y5
	VMOVDQU 6*WORD(SI), Y6
	VMOVDQU 7*WORD(SI), Y7
	VMOVDQU 8*WORD(SI), Y8

	// Y9: boxes where no decided cell has the digit.
	VPAND 0*WORD(DX), Y0, Y9
	VPAND 1*WORD(DX), Y1, Y10
	VPAND 2*WORD(DX), Y2, Y11
	VPAND 3*WORD(DX), Y3, Y12
	VPAND 4*WORD(DX), Y4, Y13
	VPAND 5*WORD(DX), Y5, Y14
	VPAND 6*WORD(DX), Y6, Y15
	VPOR  Y9, Y10, Y9
	VPAND 7*WORD(DX), Y7, Y10
	VPOR  Y11, Y12, Y11
	VPAND 8*WORD(DX), Y8, Y12
	VPOR  Y13, Y14, Y13
	VPOR  Y15, Y10, Y15
	VPOR  Y9, Y11, Y9
	VPOR  Y13, Y15, Y13
	VPOR  Y9, Y12, Y9
	VPOR  Y9, Y13, Y9
	VPXOR all<>(SB), Y9, Y9

	// Elsewhere only decided cells keep it.
#define CLEAR(place, x, tmp) \
	VPOR  place*WORD(DX), Y9, tmp \
	VPAND tmp, x, x

	CLEAR(0, Y0, Y10)
	CLEAR(1, Y1, Y11)
	CLEAR(2, Y2, Y12)
	CLEAR(3, Y3, Y13)
	CLEAR(4, Y4, Y14)
	CLEAR(5, Y5, Y15)
	CLEAR(6, Y6, Y10)
	CLEAR(7, Y7, Y11)
	CLEAR(8, Y8, Y12)

	// Rows through boxes beside each other, columns through boxes below.
	LOCK(const_beside, Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8)
	LOCK(const_below, Y0, Y3, Y6, Y1, Y4, Y7, Y2, Y5, Y8)

	VMOVDQU Y0, 0*WORD(SI)
	VMOVDQU Y1, 1*WORD(SI)
	VMOVDQU Y2, 2*WORD(SI)
	VMOVDQU Y3, 3*WORD(SI)
	VMOVDQU Y4, 4*WORD(SI)
	VMOVDQU Y5, 5*WORD(SI)
	VMOVDQU Y6, 6*WORD(SI)
	VMOVDQU Y7, 7*WORD(SI)
	VMOVDQU Y8, 8*WORD(SI)

	// Y9: boxes that have a place for the digit, Y10: two places.
	COUNT(Y0, Y1, Y9, Y10)
	COUNT(Y2, Y3, Y11, Y12)
	COUNT(Y4, Y5, Y13, Y14)
	COUNT(Y6, Y7, Y0, Y1)
	MERGE(Y9, Y10, Y11, Y12)
	MERGE(Y13, Y14, Y0, Y1)
	MERGE(Y9, Y10, Y13, Y14)
	VPAND   Y8, Y9, Y15
	VPOR    Y15, Y10, Y10
	VPOR    Y8, Y9, Y9
	VPANDN  Y9, Y10, Y10
	VMOVDQU Y10, (R8)
	VPAND   FINE(DI), Y9, Y9
	VMOVDQU Y9, FINE(DI)

	ADDQ $(DIGIT), SI
	ADDQ $WORD, R8
	DECQ CX
	JNZ  digit

	// Second half. SI: the words of a place, which are DIGIT apart; DX, R9: its
	// words of done and pair; R8: lone. Y15: cells that have been decided.
	LEAQ  grids_can(DI), SI
	LEAQ  grids_lone(DI), R8
	LEAQ  grids_pair(DI), R9
	MOVQ  $9, CX
	VPXOR Y15, Y15, Y15

	PCALIGN $32
place:
	// Y0 to Y8: boxes where the digit has the cell for itself; Y9: any digit
	// has, Y10: two have, which is wrong.
	VMOVDQU 0*WORD(R8), Y0
	VMOVDQU 1*WORD(R8), Y1
	VMOVDQU 2*WORD(R8), Y2
	VMOVDQU 3*WORD(R8), Y3
	VMOVDQU 4*WORD(R8), Y4
	VMOVDQU 5*WORD(R8), Y5
	VMOVDQU 6*WORD(R8), Y6
	VMOVDQU 7*WORD(R8), Y7
	VMOVDQU 8*WORD(R8), Y8
	VPAND 0*DIGIT(SI), Y0, Y0
	VPAND 1*DIGIT(SI), Y1, Y1
	VPAND 2*DIGIT(SI), Y2, Y2
	VPAND 3*DIGIT(SI), Y3, Y3
	VPAND 4*DIGIT(SI), Y4, Y4
	VPAND 5*DIGIT(SI), Y5, Y5
	VPAND 6*DIGIT(SI), Y6, Y6
	VPAND 7*DIGIT(SI), Y7, Y7
	VPAND 8*DIGIT(SI), Y8, Y8
	COUNT(Y0, Y1, Y9, Y10)
	COUNT(Y2, Y3, Y11, Y12)
	MERGE(Y9, Y10, Y11, Y12)
	COUNT(Y4, Y5, Y11, Y12)
	COUNT(Y6, Y7, Y13, Y14)
	MERGE(Y9, Y10, Y11, Y12)
	MERGE(Y9, Y10, Y13, Y14)
	VPAND   Y8, Y9, Y11
	VPOR    Y8, Y9, Y9
	VPOR    Y11, Y10, Y10
	VPANDN  FINE(DI), Y10, Y10
	VMOVDQU Y10, FINE(DI)

	// KEEP leaves others what is in no such cell, and counts that: Y12, Y13 and
	// Y14 are the cells with at least one, two and three digits.
#define KEEP(digit, own, others) \
	VPANDN  digit*DIGIT(SI), Y9, others \
	VPOR    others, own, own            \
	VMOVDQU own, digit*DIGIT(SI)

#define KEEPMORE(digit, own) \
	KEEP(digit, own, Y10) \
	VPAND   Y13, Y10, Y11 \
	VPOR    Y11, Y14, Y14 \
	VPAND   Y12, Y10, Y11 \
	VPOR    Y11, Y13, Y13 \
	VPOR    Y10, Y12, Y12

	KEEP(0, Y0, Y10)
	KEEP(1, Y1, Y11)
	COUNT(Y10, Y11, Y12, Y13)
	KEEP(2, Y2, Y10)
	VPAND   Y13, Y10, Y14
	VPAND   Y12, Y10, Y11
	VPOR    Y11, Y13, Y13
	VPOR    Y10, Y12, Y12
	KEEPMORE(3, Y3)
	KEEPMORE(4, Y4)
	KEEPMORE(5, Y5)
	KEEPMORE(6, Y6)
	KEEPMORE(7, Y7)
	KEEPMORE(8, Y8)

	VPANDN  Y13, Y14, Y14
	VMOVDQU Y14, (R9)
	VPANDN  Y12, Y13, Y13
	VPOR    Y9, Y13, Y13        // decided: for itself, or one digit
	VPOR    Y9, Y12, Y12        // any digit at all
	VPXOR   (DX), Y13, Y14
	VPOR    Y14, Y15, Y15
	VMOVDQU Y13, (DX)
	VPAND   FULL(DI), Y13, Y13
	VMOVDQU Y13, FULL(DI)
	VPAND   FINE(DI), Y12, Y12
	VMOVDQU Y12, FINE(DI)

	ADDQ $WORD, SI
	ADDQ $WORD, DX
	ADDQ $WORD, R9
	DECQ CX
	JNZ  place

	// A bit for each lane: VPACKSSWB makes bytes of lanes, twice over in each
	// half of the register, and VPERMQ puts one of each half side by side.
#define LANES(w, half, answer) \
	VPACKSSWB w, w, w     \
	VPERMQ    $0x08, w, w \
	VPMOVMSKB half, AX    \
	MOVW      AX, answer

	VPXOR    Y0, Y0, Y0
	VMOVDQU  all<>(SB), Y1
	VPCMPEQW Y1, Y12, Y12
	VPCMPEQW Y0, Y15, Y15
	VPCMPEQW Y1, Y13, Y13
	LANES(Y12, X12, fine+8(FP))
	LANES(Y15, X15, still+10(FP))
	LANES(Y13, X13, full+12(FP))
	VZEROUPPER
	RET
