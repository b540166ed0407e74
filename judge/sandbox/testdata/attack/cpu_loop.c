// limits: cpu=300ms
// least: process
// want: exceeded=cpu cpu>=300ms
int main(void) {
	for (volatile unsigned n = 0;; n++)
		;
}
