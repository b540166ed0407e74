// Judges both passes: validator INPUT ANSWER FEEDBACK, with the output on standard input.
// The input of the second pass has the output of the first.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

static std::string feedback;

static void reject(const std::string &why) {
	std::ofstream(feedback + "judgemessage.txt") << why << "\n";
	std::exit(43);
}

int main(int, char **argv) {
	feedback = argv[3];
	std::ifstream input(argv[1]);
	std::string word, number, got, more;
	input >> word >> number;
	bool one = bool(std::cin >> got) && !(std::cin >> more);
	if (word == "encode") {
		if (!one || got.size() > 30 || got.find_first_not_of("abcdefghijklmnopqrstuvwxyz") != std::string::npos)
			reject("the message is not 1 to 30 lowercase letters");
		// Files in the folder of feedback are kept for the next pass.
		std::ofstream(feedback + "number") << number;
		std::ofstream(feedback + "nextpass.in") << "decode " << got << "\n";
		return 42;
	}
	std::string want;
	std::ifstream(feedback + "number") >> want;
	if (!one || got != want)
		reject("expected the number " + want);
	return 42;
}
