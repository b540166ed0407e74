// {{generator}} MOST SEED prints a random input.
#include <cstdint>
#include <iostream>
#include <string>

// splitmix64: a seed gives the same numbers in every language and forever.
static uint64_t state;

static uint64_t next() {
	uint64_t z = state += 0x9e3779b97f4a7c15;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

int main(int argc, char **argv) {
	if (argc != 3) {
		std::cerr << "usage: {{generator}} MOST SEED\n";
		return 2;
	}
	uint64_t most = std::stoull(argv[1]);
	state = std::stoull(argv[2]);
	{{print.cpp}}
}
