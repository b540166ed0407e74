#include <iostream>
#include <string>

int main() {
	int least = 1, most = 1000;
	for (;;) {
		int guess = (least + most) / 2;
		std::cout << guess << std::endl; // flushes
		std::string answer;
		if (!(std::cin >> answer) || answer == "correct")
			return 0;
		if (answer == "larger")
			least = guess + 1;
		else
			most = guess - 1;
	}
}
