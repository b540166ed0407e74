// stdin: 100M
// least: process
// want: exit=0 exceeded=none
int main(void) { return 0; }
