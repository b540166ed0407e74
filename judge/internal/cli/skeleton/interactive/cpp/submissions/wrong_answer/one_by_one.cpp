#include <iostream>
#include <string>

int main() {
	for (int guess = 1;; guess++) {
		std::cout << guess << std::endl; // flushes
		std::string answer;
		if (!(std::cin >> answer) || answer == "correct")
			return 0;
	}
}
