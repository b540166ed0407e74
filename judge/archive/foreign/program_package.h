/* Lets a checker of CMS follow the problem package format 2025-09. A checker of CMS has
   the arguments INPUT ANSWER OUTPUT, writes a score from 0 to 1 to standard output and a
   message to standard error, and ends with status 0. An output validator has the
   arguments INPUT ANSWER FEEDBACK_FOLDER, reads the output on standard input, and ends
   with status 42 or 43. This file runs before main: a child continues with main, and
   the parent reads the score. It is C and C++. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static char packageOutput[4096], packageScore[4096], packageMessage[4096], packageMultiplier[4096];

/* packageFail ends with a status that is an error of the judge. */
static void packageFail(const char *message) {
    fprintf(stderr, "%s\n", message);
    fflush(stderr);
    unlink(packageOutput);
    unlink(packageScore);
    _exit(3);
}

static void packageName(char *to, const char *folder, const char *name) {
    if (snprintf(to, 4096, "%s/%s", folder, name) >= 4096)
        packageFail("the name of the feedback folder is too long");
}

/* packageCopy copies standard input to a file, because checkers open the output by name. */
static void packageCopy(void) {
    static char buffer[1 << 16];
    ssize_t n;
    int to = open(packageOutput, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (to < 0)
        packageFail("the output cannot be copied to the feedback folder");
    while ((n = read(0, buffer, sizeof buffer)) > 0) {
        char *from = buffer;
        while (n > 0) {
            ssize_t written = write(to, from, (size_t) n);
            if (written <= 0)
                packageFail("the output cannot be copied to the feedback folder");
            from += written;
            n -= written;
        }
    }
    if (n < 0 || close(to) != 0)
        packageFail("the output cannot be copied to the feedback folder");
}

/* packageRead reads the score that the checker wrote. */
static double packageRead(void) {
    char text[64], *end;
    double score;
    FILE *file = fopen(packageScore, "r");
    size_t n = file == NULL ? 0 : fread(text, 1, sizeof text - 1, file);
    text[n] = 0;
    score = strtod(text, &end);
    if (end == text || strspn(end, " \t\r\n") != strlen(end) || !(score >= 0 && score <= 1))
        packageFail("the checker wrote no score from 0 to 1 to standard output");
    return score;
}

__attribute__((constructor)) static void packageMain(int argc, char **argv) {
    int status = 0, score, message;
    double value;
    FILE *file;
    pid_t child;
    if (argc < 4)
        packageFail("expected the arguments INPUT ANSWER FEEDBACK_FOLDER");
    packageName(packageOutput, argv[3], "cms_output");
    packageName(packageScore, argv[3], "cms_score");
    packageName(packageMessage, argv[3], "judgemessage.txt");
    packageName(packageMultiplier, argv[3], "score_multiplier.txt");
    packageCopy();
    child = fork();
    if (child < 0)
        packageFail("the checker cannot be started");
    if (child == 0) {
        score = open(packageScore, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        message = open(packageMessage, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (score < 0 || message < 0 || dup2(score, 1) < 0 || dup2(message, 2) < 0)
            _exit(3);
        argv[3] = packageOutput;
        return; /* to main */
    }
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        packageFail("the checker crashed, or ended with a status other than 0");
    value = packageRead();
    unlink(packageOutput);
    unlink(packageScore);
    if (value <= 0)
        _exit(43);
    if (value < 1) {
        file = fopen(packageMultiplier, "w");
        if (file == NULL || fprintf(file, "%.10g\n", value) < 0 || fclose(file) != 0)
            packageFail("the score cannot be written to the feedback folder");
    }
    _exit(42);
}
