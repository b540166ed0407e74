// stdin: 100M
// want: exit=0 exceeded=none
int main(void) { return 0; }
