// limits: processes=16
// least: process
// want: exceeded=processes
// Gives up at once when it gets no more processes, before anyone looks.
#include "bounded.h"
#include <stdlib.h>
int main(void) {
	for (int i = 0; i < 1000; i++)
		switch (fork()) {
		case 0:
			linger();
		case -1:
			abort();
		}
	linger();
}
