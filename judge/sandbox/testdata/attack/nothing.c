// least: process
// want: exit=0 exceeded=none output=0 memory<=5M
// Small programs are not billed for the launcher's set-up.
int main(void) { return 0; }
