// least: process
// want: signal=SIGSEGV exceeded=none exit=-1
int main(void) {
	int *volatile nowhere = 0;
	return *nowhere;
}
