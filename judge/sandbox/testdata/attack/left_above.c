// acts: 2
// least: box
// want: exit=0 exceeded=none
// bare: user
// without: exit=1
// Leaves a file in the folder above its own, which a box has to make.
#include "attack.h"
int main(int argc, char **argv) {
	static const char path[] = "../.attack-left";
	aim(argv);
	if (act == 1)
		close(open(path, O_CREAT | O_WRONLY, 0666));
	else if (access(path, F_OK) == 0) {
		managed("find %s of the run before", path);
		remove(path);
	}
	return verdict();
}
