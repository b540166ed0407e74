// limits: cpu=300ms
// want: exceeded=cpu cpu>=300ms
int main(void) {
	for (volatile unsigned n = 0;; n++)
		;
}
