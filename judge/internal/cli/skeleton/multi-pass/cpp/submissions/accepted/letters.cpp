#include <iostream>
#include <string>

int main() {
	std::string word, text;
	std::cin >> word >> text;
	for (char &c : text)
		c = word == "encode" ? c - '0' + 'a' : c - 'a' + '0';
	std::cout << text << "\n";
}
