#include "go_asm.h"
#include "textflag.h"
#include "lanes_amd64.h"

// Lanes from and to text. A lane is 2*BX bytes into each word.

// In text, the cells at one place of the three boxes of a band are 3 bytes
// apart, and 27 from those of the next band. gather<> has a shuffle for each
// band that puts them into the bytes whose numbers are the boxes' bits, and
// zeros between. So 16 bytes hold a place, as 16 bits of a lane do.
DATA gather<>+0(SB)/8, $0x8080038080808000
DATA gather<>+8(SB)/8, $0x8080808080068080
DATA gather<>+16(SB)/8, $0x8003808080800080
DATA gather<>+24(SB)/8, $0x8080808006808080
DATA gather<>+32(SB)/8, $0x0380808080008080
DATA gather<>+40(SB)/8, $0x8080800680808080
GLOBL gather<>(SB), RODATA|NOPTR, $48

// pairs<> has each digit 16 times, and the blank as the tenth.
#define TWICE(at, byte) \
	DATA         pairs<>+at(SB)/8, $byte \
	DATA pairs<>+(at+8)(SB)/8, $byte

TWICE(0, 0x3131313131313131)
TWICE(16, 0x3232323232323232)
TWICE(32, 0x3333333333333333)
TWICE(48, 0x3434343434343434)
TWICE(64, 0x3535353535353535)
TWICE(80, 0x3636363636363636)
TWICE(96, 0x3737373737373737)
TWICE(112, 0x3838383838383838)
TWICE(128, 0x3939393939393939)
TWICE(144, 0x2e2e2e2e2e2e2e2e)
GLOBL pairs<>(SB), RODATA|NOPTR, $160

// TWO writes the words of digits d and d+1, which are in the halves of r, with
// the blanks in R8.
#define TWO(d, r) \
	ORL          R8, r                \
	MOVW         r, d*DIGIT(SI)(BX*2) \
	SHRL         $16, r               \
	MOVW        r, (d+1)*DIGIT(SI)(BX*2)

// func readAVX2(in *grids, lane int, puzzle *[cells]byte)
TEXT ·readAVX2(SB), NOSPLIT, $0-24
	MOVQ        in+0(FP), SI
	LEAQ        grids_done(SI), DX
	MOVQ        lane+8(FP), BX
	MOVQ        puzzle+16(FP), DI
	VMOVDQU     gather<>+0(SB), X0
	VMOVDQU     gather<>+16(SB), X1
	VMOVDQU     gather<>+32(SB), X2
	VMOVDQU     pairs<>+0(SB), Y3
	VMOVDQU     pairs<>+32(SB), Y4
	VMOVDQU     pairs<>+64(SB), Y5
	VMOVDQU     pairs<>+96(SB), Y6
	VMOVDQU     pairs<>+128(SB), Y7
	MOVQ        $3, CX

row:
	MOVQ        $3, R14

column:
	// Y8: the place's characters, in both halves.
	VMOVDQU     0(DI), X8
	VMOVDQU     27(DI), X9
	VMOVDQU     54(DI), X10
	VPSHUFB     X0, X8, X8
	VPSHUFB     X1, X9, X9
	VPSHUFB     X2, X10, X10
	VPOR        X8, X9, X8
	VPOR        X8, X10, X8
	VINSERTI128 $1, X8, Y8, Y8
	// Two digits in each of R9 to R13, the last of them the blank.
	VPCMPEQB    Y3, Y8, Y9
	VPCMPEQB    Y4, Y8, Y10
	VPCMPEQB    Y5, Y8, Y11
	VPCMPEQB    Y6, Y8, Y12
	VPCMPEQB    Y7, Y8, Y13
	VPMOVMSKB   Y13, R13
	VPMOVMSKB   Y9, R9
	VPMOVMSKB   Y10, R10
	VPMOVMSKB   Y11, R11
	VPMOVMSKB   Y12, R12
	// What is not blank is decided, and blanks may have any digit.
	MOVL        R13, R8
	SHRL        $16, R8
	MOVL        R8, AX
	XORL        $const_all, AX
	MOVW        AX, (DX)(BX*2)
	IMULL       $0x10001, R8 // in both halves
	TWO(0, R9)
	TWO(2, R10)
	TWO(4, R11)
	TWO(6, R12)
	ORL         R8, R13
	MOVW        R13, 8*DIGIT(SI)(BX*2)
	ADDQ        $WORD, SI
	ADDQ        $WORD, DX
	INCQ        DI
	DECQ        R14
	JNZ         column
	ADDQ        $6, DI
	DECQ        CX
	JNZ         row
	VZEROUPPER
	RET

// A plane is 16 bits of a place: for the ones, the twos, the fours or the eights
// of its digits. spread<> copies a byte of two planes at once to those that
// become one bit of it each (bit<>), and weight<> is what they are worth.
DATA spread<>+0(SB)/8, $0x0000000000000000
DATA spread<>+8(SB)/8, $0x0101010101010101
DATA spread<>+16(SB)/8, $0x0202020202020202
DATA spread<>+24(SB)/8, $0x0303030303030303
DATA spread<>+32(SB)/8, $0x0404040404040404
DATA spread<>+40(SB)/8, $0x0505050505050505
DATA spread<>+48(SB)/8, $0x0606060606060606
DATA spread<>+56(SB)/8, $0x0707070707070707
GLOBL spread<>(SB), RODATA|NOPTR, $64

DATA bit<>+0(SB)/8, $0x8040201008040201
DATA bit<>+8(SB)/8, $0x8040201008040201
DATA bit<>+16(SB)/8, $0x8040201008040201
DATA bit<>+24(SB)/8, $0x8040201008040201
GLOBL bit<>(SB), RODATA|NOPTR, $32

DATA weight<>+0(SB)/8, $0x0101010101010101
DATA weight<>+8(SB)/8, $0x0101010101010101
DATA weight<>+16(SB)/8, $0x0202020202020202
DATA weight<>+24(SB)/8, $0x0202020202020202
DATA weight<>+32(SB)/8, $0x0404040404040404
DATA weight<>+40(SB)/8, $0x0404040404040404
DATA weight<>+48(SB)/8, $0x0808080808080808
DATA weight<>+56(SB)/8, $0x0808080808080808
GLOBL weight<>(SB), RODATA|NOPTR, $64

DATA zero<>+0(SB)/8, $0x3030303030303030
DATA zero<>+8(SB)/8, $0x3030303030303030
GLOBL zero<>(SB), RODATA|NOPTR, $16

// scatter<> takes a place's boxes of the first band to where they are in a row
// of text, for places in the left, middle and right column of a box. One more
// in each byte, and it is for the next band.
DATA scatter<>+0(SB)/8, $0x800a808005808000
DATA scatter<>+8(SB)/8, $0x8080808080808080
DATA scatter<>+16(SB)/8, $0x0a80800580800080
DATA scatter<>+24(SB)/8, $0x8080808080808080
DATA scatter<>+32(SB)/8, $0x8080058080008080
DATA scatter<>+40(SB)/8, $0x808080808080800a
GLOBL scatter<>(SB), RODATA|NOPTR, $48

DATA one<>+0(SB)/8, $0x0101010101010101
DATA one<>+8(SB)/8, $0x0101010101010101
GLOBL one<>(SB), RODATA|NOPTR, $16

#define AT(d, p) (d*DIGIT+p*WORD)(SI)(BX*2)

// DIGITS makes of the nine words of a place the characters of its boxes. The
// planes come together in R8: of digits 1 3 5 7 9, 2 3 6 7, 4 5 6 7 and 8 9.
#define DIGITS(p, x) \
	MOVWLZX      AT(0, p), R8              \
	MOVWLZX      AT(1, p), R9              \
	MOVWLZX      AT(2, p), R10             \
	MOVWLZX      AT(3, p), R11             \
	MOVWLZX      AT(4, p), R12             \
	MOVWLZX      AT(5, p), R13             \
	MOVWLZX      AT(6, p), R14             \
	MOVWLZX      AT(7, p), AX              \
	MOVWLZX      AT(8, p), CX              \
	ORL          R10, R8                   \
	ORL          R12, R8                   \
	ORL          R14, R8                   \
	ORL          CX, R8                    \
	ORL          R13, R9                   \
	ORL          R14, R13                  \
	ORL          R10, R9                   \
	ORL          R14, R9                   \
	ORL          R12, R11                  \
	ORL          R13, R11                  \
	ORL          CX, AX                    \
	SHLL         $16, R9                   \
	SHLL         $16, AX                   \
	ORL          R9, R8                    \
	ORL          AX, R11                   \
	SHLQ         $32, R11                  \
	ORQ          R11, R8                   \
	VMOVQ        R8, X11                   \
	VPBROADCASTQ X11, Y11                  \
	VPSHUFB      Y12, Y11, Y10             \
	VPSHUFB      Y13, Y11, Y11             \
	VPAND        Y14, Y10, Y10             \
	VPAND        Y14, Y11, Y11             \
	VPCMPEQB     Y14, Y10, Y10             \
	VPCMPEQB     Y14, Y11, Y11             \
	VPAND        weight<>+0(SB), Y10, Y10  \
	VPAND        weight<>+32(SB), Y11, Y11 \
	VPOR         Y10, Y11, Y10             \
	VEXTRACTI128 $1, Y10, X11              \
	VPOR         X10, X15, X10             \
	VPOR        X10, X11, x

// ROW writes a row of text from the places of a row of boxes, in this band.
#define ROW(at, a, b, c) \
	VPSHUFB      X9, a, X12    \
	VPSHUFB      X10, b, X13   \
	VPSHUFB      X11, c, X14   \
	VPOR         X12, X13, X12 \
	VPOR         X12, X14, X12 \
	VMOVQ        X12, at(DI)   \
	VPEXTRB     $8, X12, (at+8)(DI)

// func writeAVX2(in *grids, lane int, puzzle *[cells]byte)
TEXT ·writeAVX2(SB), NOSPLIT, $0-24
	MOVQ        in+0(FP), SI
	MOVQ        lane+8(FP), BX
	MOVQ        puzzle+16(FP), DI
	VMOVDQU     spread<>+0(SB), Y12
	VMOVDQU     spread<>+32(SB), Y13
	VMOVDQU     bit<>(SB), Y14
	VMOVDQU     zero<>(SB), X15
	DIGITS(0, X0)
	DIGITS(1, X1)
	DIGITS(2, X2)
	DIGITS(3, X3)
	DIGITS(4, X4)
	DIGITS(5, X5)
	DIGITS(6, X6)
	DIGITS(7, X7)
	DIGITS(8, X8)
	VMOVDQU     scatter<>+0(SB), X9
	VMOVDQU     scatter<>+16(SB), X10
	VMOVDQU     scatter<>+32(SB), X11
	MOVQ        $3, CX

band:
	ROW(0, X0, X1, X2)
	ROW(9, X3, X4, X5)
	ROW(18, X6, X7, X8)
	VPADDB      one<>(SB), X9, X9
	VPADDB      one<>(SB), X10, X10
	VPADDB      one<>(SB), X11, X11
	ADDQ        $27, DI
	DECQ        CX
	JNZ         band
	VZEROUPPER
	RET
