// least: process
// want: exceeded=processes
#include "bounded.h"
int main(void) {
	bounded();
	while (trying())
		if (fork() == 0)
			born();
	linger();
}
