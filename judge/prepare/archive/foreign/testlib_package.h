// Lets checkers, interactors and validators that use testlib follow the problem package
// format 2025-09: status 42 accepts and 43 rejects; the arguments are the input, the
// answer and the feedback folder; and a checker reads the output on standard input.
// testlib itself is in testlib_original.h.
#ifndef TESTLIB_PACKAGE_H
#define TESTLIB_PACKAGE_H

#include <cstdio>
#include <cstdlib>
#include <string>

static int packageFailure();
static int packagePoints(double points);

#define OK_EXIT_CODE 42
#define WA_EXIT_CODE 43
#define PE_EXIT_CODE 43
#define DIRT_EXIT_CODE 43
#define UNEXPECTED_EOF_EXIT_CODE 43
#define FAIL_EXIT_CODE packageFailure()
// testlib uses these two in expressions of one function, and adds r - _partially to the second.
#define POINTS_EXIT_CODE packagePoints(__testlib_points)
#define PC_BASE_EXIT_CODE (packagePoints(r - _partially) - (r - _partially))

#include "testlib_original.h"

static std::string packageFeedback;
static bool packagePassFail; // the group of the case has no scores of cases

// An input validator rejects; for a checker it is an error of the package. testlib has
// written the message to a file, and some judges show standard error only.
static int packageFailure() {
    if (testlibMode == _validator)
        return 43;
    if (std::FILE *file = std::fopen((packageFeedback + "/judgemessage.txt").c_str(), "r")) {
        char text[1 << 12];
        std::fprintf(stderr, "%.*s\n", (int) std::fread(text, 1, sizeof text, file), text);
        std::fclose(file);
    }
    return 3;
}

// Points are the score of a scoring problem. Otherwise, a partly correct output is wrong.
static int packagePoints(double points) {
#ifdef PACKAGE_SCORING
    if (packagePassFail)
        return 42;
    std::FILE *file = std::fopen((packageFeedback + "/score.txt").c_str(), "w");
    if (file == NULL || std::fprintf(file, "%.10g\n", points) < 0 || std::fclose(file) != 0)
        return 3;
    return 42;
#else
    (void) points;
    return 43;
#endif
}

// packageArguments are the arguments of testlib: input, second, answer, file of the message.
static void packageRegister(void (*call)(int, char *[]), int argc, char *argv[], const char *second) {
    if (argc < 4) {
        std::fprintf(stderr, "expected the arguments INPUT ANSWER FEEDBACK_FOLDER\n");
        std::exit(3);
    }
    packageFeedback = argv[3];
    packagePassFail = argc > 4 && std::string(argv[4]) == "pass-fail";
    static std::string output = second ? packageFeedback + "/" + second : std::string(argv[2]);
    static std::string message = packageFeedback + "/judgemessage.txt";
    static char *arguments[] = {argv[0], argv[1], &output[0], argv[2], &message[0], NULL};
    call(5, arguments);
}

static void packageChecker(int argc, char *argv[]) {
    packageRegister(registerTestlibCmd, argc, argv, NULL);
    // testlib has opened the answer as the output. Its own way to read standard input is
    // slower, because it reads byte by byte, as interactors must.
    ouf.close();
    ouf.reader = new BufferedFileInputStreamReader(stdin, "stdin");
    ouf.name = "stdin";
    ouf.opened = true;
}

static void packageInteractor(int argc, char *argv[]) {
    packageRegister(registerInteraction, argc, argv, "tout.txt");
}

// A validator that ends without a failure has accepted the input.
static void packageEnd() {
    if (testlibFinalizeGuard.quitCount == 0 && testlibFinalizeGuard.readEofCount > 0) {
        std::fflush(NULL);
        std::_Exit(42);
    }
}

static void packageValidator() {
    registerValidation();
    std::atexit(packageEnd);
}

static void packageValidator(int argc, char *argv[]) {
    registerValidation(argc, argv);
    std::atexit(packageEnd);
}

#define registerTestlibCmd packageChecker
#define registerInteraction packageInteractor
#define registerValidation packageValidator

#endif
