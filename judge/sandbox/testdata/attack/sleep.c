// limits: wall=200ms
// want: exceeded=wall signal=SIGKILL
#include <unistd.h>
int main(void) {
	for (;;)
		pause();
}
