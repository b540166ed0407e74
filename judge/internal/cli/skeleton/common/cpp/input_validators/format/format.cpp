// Accepts the inputs that the statement allows.
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <regex>
#include <string>

const long long least = {{least}}, most = {{most}};

static void reject(const std::string &why) {
	std::cerr << "line 1: " << why << "\n";
	std::exit(43);
}

int main() {
	std::string data((std::istreambuf_iterator<char>(std::cin)), {});
	std::smatch words;
	if (data.size() > 100 || !std::regex_match(data, words, std::regex("{{form}}\n")))
		reject("expected {{expected}}, one newline after");
	for (size_t i = 1; i < words.size(); i++) {
		std::string word = words[i];
		long long v = word.size() > 10 ? most + 1 : std::stoll(word);
		if (v < least || v > most)
			reject(word + ": expected " + std::to_string(least) + " to " + std::to_string(most));
	}
	return 42;
}
