#include <iostream>
#include <string>

int main() {
	std::string word, text;
	std::cin >> word >> text;
	std::cout << char(word == "encode" ? text[0] - '0' + 'a' : text[0] - 'a' + '0') << "\n";
}
