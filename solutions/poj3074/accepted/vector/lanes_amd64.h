// How grids lie in memory; go_asm.h, which Go writes, has where its fields are.

#define WORD 32      // bytes of a word: 16 lanes of 16 bits
#define DIGIT 9*WORD // bytes of the words of a digit, one for each place
