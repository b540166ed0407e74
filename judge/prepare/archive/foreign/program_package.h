/* Lets a checker or interactor of another system follow the problem package format
   2025-09, in which an output validator has the arguments INPUT ANSWER FEEDBACK_FOLDER,
   reads the output on standard input, and ends with status 42 or 43. This file runs
   before main: it starts the program again with the arguments of the other system, and
   judges by what that ends with. It is C and C++, and calls neither read nor write, whose
   names programs in C use. The lines above it may define:

   PACKAGE_ARGUMENTS    each argument and a comma: packageInput, packageOutput, packageAnswer,
   PACKAGE_CMS          the program writes a score from 0 to 1 to standard output
   PACKAGE_TESTLIB      the status is 0 to 3, or 7 with "points N" on standard error
   PACKAGE_COCI         likewise, with "partial N/M"
   PACKAGE_PEG          the status is 0 or 1; two lines of standard output can be a fraction
   PACKAGE_INTERACTIVE  standard input and output belong to the submission

   PACKAGE_VALIDATOR stands alone. It is for input validators, which have the arguments
   FILE SUBTASK, and end with status 0 if they accept. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(PACKAGE_VALIDATOR)

__attribute__((constructor)) static void packageMain(int argc, char **argv) {
    static char input[] = "/dev/stdin", none[] = "0";
    char *arguments[] = {argv[0], input, argc > 1 ? argv[1] : none, NULL};
    int status = 0;
    pid_t child;
    if (getenv("PACKAGE_PROGRAM") != NULL)
        return; /* to main */
    setenv("PACKAGE_PROGRAM", "1", 1);
    child = fork();
    if (child == 0) {
        execv("/proc/self/exe", arguments);
        _exit(126);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        _exit(3);
    _exit(status == 0 ? 42 : 43);
}

#else

#define PACKAGE_NAME 4096
static char packageInput[PACKAGE_NAME], packageAnswer[PACKAGE_NAME], packageOutput[PACKAGE_NAME];
static char packageOut[PACKAGE_NAME], packageErr[PACKAGE_NAME], packageMessage[PACKAGE_NAME], packageScore[PACKAGE_NAME];
static int packagePassFail;

static void packageClean(void) {
    remove(packageOut);
    remove(packageErr);
#if !defined(PACKAGE_INTERACTIVE)
    remove(packageOutput);
#endif
}

/* packageFail ends with a status that is an error of the judge. */
static void packageFail(const char *message) {
    fprintf(stderr, "%s\n", message);
    fflush(stderr);
    packageClean();
    _exit(3);
}

static void packageName(char *to, const char *folder, const char *name) {
    if (snprintf(to, PACKAGE_NAME, "%s%s%s", folder, *name ? "/" : "", name) >= PACKAGE_NAME)
        packageFail("the name of a file is too long");
}

/* packageCopy copies the rest of a file to another. */
static void packageCopy(FILE *from, const char *name) {
    static char buffer[1 << 16];
    size_t n = 0;
    FILE *to = fopen(name, "w");
    while (to != NULL && (n = fread(buffer, 1, sizeof buffer, from)) > 0 && fwrite(buffer, 1, n, to) == n)
        ;
    if (to == NULL || n > 0 || ferror(from) || fclose(to) != 0)
        packageFail("a file cannot be written to the feedback folder");
}

/* packageText returns the beginning of a file. */
static char *packageText(const char *name) {
    static char text[1 << 16];
    FILE *file = fopen(name, "r");
    size_t n = file == NULL ? 0 : fread(text, 1, sizeof text - 1, file);
    if (file != NULL)
        fclose(file);
    text[n] = 0;
    return text;
}

/* packageEnd ends with the verdict for a score. Points are the score of the case; a share
   is a part of its maximum. The argument pass-fail is for groups without such scores. */
static void packageEnd(double score, int share) {
    FILE *file;
    if (share && score <= 0) {
        packageClean();
        _exit(43);
    }
    if (!packagePassFail && (!share || score < 1)) {
        file = fopen(packageScore, "w");
        if (file == NULL || fprintf(file, "%.10g\n", score) < 0 || fclose(file) != 0)
            packageFail("the score cannot be written to the feedback folder");
    }
    packageClean();
    _exit(42);
}

#if defined(PACKAGE_CMS)

static void packageVerdict(int status) {
    char *text = packageText(packageOut), *end;
    double score = strtod(text, &end);
    if (status != 0)
        packageFail("the checker ended with a status other than 0");
    if (end == text || strspn(end, " \t\r\n") != strlen(end) || !(score >= 0 && score <= 1))
        packageFail("the checker wrote no score from 0 to 1 to standard output");
    packageEnd(score, 1);
}

#else

#if defined(PACKAGE_TESTLIB)
/* packagePartial reads the points on standard error. */
static void packagePartial(void) {
    char *line;
    long points;
    int end;
    for (line = strtok(packageText(packageErr), "\n"); line != NULL; line = strtok(NULL, "\n"))
        if (sscanf(line, "points %ld%n", &points, &end) == 1 && line[end] == 0 && points >= 0)
            packageEnd((double) points, 0);
    packageFail("the program wrote no line \"points N\" to standard error");
}
#elif defined(PACKAGE_COCI)
/* packagePartial reads the share on standard error. A share of 0 is accepted. */
static void packagePartial(void) {
    char *line;
    long part, whole;
    int end;
    for (line = strtok(packageText(packageErr), "\n"); line != NULL; line = strtok(NULL, "\n"))
        if (sscanf(line, "partial %ld/%ld%n", &part, &whole, &end) == 2 && line[end] == 0 && part >= 0 && whole > 0 && part <= whole)
            part == 0 ? packageEnd(0, 0) : packageEnd((double) part / (double) whole, 1);
    packageFail("the program wrote no line \"partial N/M\" with N at most M to standard error");
}
#elif defined(PACKAGE_PEG)
/* packageFraction accepts if two lines of standard output are a fraction above 0. */
static void packageFraction(void) {
    char *line, *end;
    double last = 0, value;
    int known = 0;
    for (line = strtok(packageText(packageOut), "\n"); line != NULL; line = strtok(NULL, "\n")) {
        value = strtod(line, &end);
        if (end != line && strspn(end, " \t\r") == strlen(end)) {
            if (known && value != 0 && last / value > 0)
                packageEnd(last / value, 1);
            last = value;
            known = 1;
        } else {
            known = 0;
        }
    }
}
#endif

static void packageVerdict(int status) {
#if defined(PACKAGE_PEG)
    if (status == 0 || status == 1)
        packageFraction();
#elif defined(PACKAGE_TESTLIB) || defined(PACKAGE_COCI)
    if (status == 2)
        status = 1;
    if (status == 7)
        packagePartial();
#endif
    if (status != 0 && status != 1)
        packageFail("the program ended with a status that is no verdict");
    packageEnd(status == 0, 1);
}

#endif

__attribute__((constructor)) static void packageMain(int argc, char **argv) {
    int status = 0;
    pid_t child;
    FILE *message;
    if (getenv("PACKAGE_PROGRAM") != NULL)
        return; /* to main */
    if (argc < 4)
        packageFail("expected the arguments INPUT ANSWER FEEDBACK_FOLDER");
    packagePassFail = argc > 4 && strcmp(argv[4], "pass-fail") == 0;
    packageName(packageInput, argv[1], "");
    packageName(packageAnswer, argv[2], "");
    packageName(packageOutput, argv[3], "package_output");
    packageName(packageOut, argv[3], "package_stdout");
    packageName(packageErr, argv[3], "package_stderr");
    packageName(packageMessage, argv[3], "judgemessage.txt");
#if defined(PACKAGE_TESTLIB)
    packageName(packageScore, argv[3], "score.txt");
#else
    packageName(packageScore, argv[3], "score_multiplier.txt");
#endif
#if defined(PACKAGE_INTERACTIVE)
    packageName(packageOutput, "/dev/null", "");
#else
    packageCopy(stdin, packageOutput);
#endif
    child = fork();
    if (child < 0)
        packageFail("the program cannot be started");
    if (child == 0) {
        char *arguments[] = {argv[0], PACKAGE_ARGUMENTS NULL};
#if !defined(PACKAGE_INTERACTIVE)
        if (freopen(packageOut, "w", stdout) == NULL)
            _exit(3);
#endif
        if (freopen(packageErr, "w", stderr) == NULL)
            _exit(3);
        setenv("PACKAGE_PROGRAM", "1", 1);
        execv("/proc/self/exe", arguments);
        _exit(126);
    }
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
        packageFail("the program crashed");
    message = fopen(packageErr, "r");
    if (message != NULL) {
        packageCopy(message, packageMessage);
        fclose(message);
    }
    packageVerdict(WEXITSTATUS(status));
}

#endif
