package main

import (
	"os"
	"path/filepath"
)

// files are the package that is searched. Its programs do next to nothing, so that the
// time is that of running programs.
var files = map[string]string{
	"problem.yaml": "problem_format_version: 2025-09\nname: Sum\nuuid: " +
		"1c1e7a42-75c1-4b49-a65c-2e30b1b4f1c5\nlimits: {time_limit: 1}\n",
	"data/secret/1.in":             "1 2\n",
	"data/secret/1.ans":            "3\n",
	"generators/generators.yaml":   "data: {secret: {data: {'1': {in: '1 2'}, a: 'gen.c {seed}'}}}\n",
	"generators/gen.c":             generator,
	"input_validators/validator.c": validator,
	"output_validator/checker.c":   checker,
	"submissions/accepted/a.c":     program,
	"submissions/wrong_answer/b.c": program + "/* the same */\n",
}

const (
	generator = `#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) { unsigned s = atoi(argv[1]); printf("%u %u\n", s % 30011, s / 30011); return 0; }
`
	validator = `#include <stdio.h>
int main(void) { unsigned a, b; char c, d; return scanf("%u %u%c%c", &a, &b, &c, &d) == 3 && c == '\n' ? 42 : 43; }
`
	program = `#include <stdio.h>
int main(void) { unsigned a, b; if (scanf("%u %u", &a, &b) == 2) printf("%u\n", a + b); return 0; }
`
	checker = `#include <stdio.h>
int main(int argc, char **argv) { unsigned a, b; FILE *f = fopen(argv[2], "r");
	return f && fscanf(f, "%u", &a) == 1 && scanf("%u", &b) == 1 && a == b ? 42 : 43; }
`
)

// write writes the package.
func write(dir string) error {
	for name, text := range files {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
