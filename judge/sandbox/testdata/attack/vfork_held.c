// limits: wall=300ms
// least: process
// want: exceeded=wall signal=SIGKILL
// The parent cannot be woken as long as its child neither ends nor executes.
#include "attack.h"
int main(int argc, char **argv) {
	if (vfork() == 0)
		for (;;)
			pause();
	return 0;
}
