// Answers guesses of a number: validator INPUT ANSWER FEEDBACK, connected to the submission
// by its standard input and output.
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
	int secret;
	std::ifstream(argv[1]) >> secret;
	for (int i = 0; i < 10; i++) {
		int guess;
		if (!(std::cin >> guess) || guess < 1 || guess > 1000)
			reject("a guess that is no integer from 1 to 1000, or no guess");
		std::cout << (guess < secret ? "larger" : guess > secret ? "smaller" : "correct") << std::endl;
		if (guess == secret)
			return 42;
	}
	reject("more than 10 guesses");
}
