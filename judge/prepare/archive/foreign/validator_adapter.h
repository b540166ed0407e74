// Lets a validator of the problem package format follow the conventions of testlib. The
// format: status 42 accepts and 43 rejects; the arguments are the input, the answer and a
// feedback folder; the output is standard input. testlib: status 0 accepts, 1 rejects, 3 is
// a failure, 7 gives points; the arguments are the input, the output and the answer.
//
// A source includes this file, the source of the validator, and this file again.
// ADAPTER_CHECKER, ADAPTER_INTERACTOR or ADAPTER_INPUT is 1, and ADAPTER_ARGUMENTS may be
// further arguments as strings, each followed by a comma.
#ifndef VALIDATOR_ADAPTER_H
#define VALIDATOR_ADAPTER_H

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>
#ifdef _WIN32
#include <direct.h>
#include <process.h>
#define rmdir _rmdir
#else
#include <sys/stat.h>
#include <unistd.h>
#endif

#ifndef ADAPTER_ARGUMENTS
#define ADAPTER_ARGUMENTS
#endif

static std::string adapterFeedback; // folder, with a slash; "" for input validators
static std::string adapterReport;   // file of the message; "" means standard error

static bool adapterRead(const char *name, std::string &text) {
    std::ifstream file((adapterFeedback + name).c_str());
    if (adapterFeedback.empty() || !file)
        return false;
    text.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    std::remove((adapterFeedback + name).c_str());
    return true;
}

// adapterExit replaces exit in the validator.
[[noreturn]] static void adapterExit(int status) {
    std::fflush(NULL);
    std::string message, score;
    adapterRead("judgemessage.txt", message);
    bool scored = adapterRead("score.txt", score);
    if (!adapterFeedback.empty()) {
        std::remove((adapterFeedback + "teammessage.txt").c_str());
        std::remove((adapterFeedback + "judgeerror.txt").c_str());
        rmdir(adapterFeedback.c_str());
    }
    int code = status == 42 ? 0 : status == 43 ? 1 : 3;
#ifdef ADAPTER_INPUT
    code = status == 42 ? 0 : 3;
#endif
    if (code == 0 && scored) {
        std::stringstream words(score);
        double points = 0;
        words >> points;
        std::ostringstream first;
        first << "points " << points << "\n";
        message = first.str() + message;
        code = 7;
    } else if (code == 3 && message.empty()) {
        message = "the validator rejects the input, or failed\n";
    }
    if (!adapterReport.empty()) {
        std::ofstream report(adapterReport.c_str());
        report << message;
    } else {
        std::fputs(message.c_str(), stderr);
    }
    std::fflush(NULL);
    std::exit(code);
}

// adapterFolder makes the feedback folder.
inline std::string adapterFolder() {
#ifdef _WIN32
    _mkdir("feedback");
    return "feedback/";
#else
    const char *folder = std::getenv("TMPDIR");
    std::string name = std::string(folder && *folder ? folder : "/tmp") + "/feedbackXXXXXX";
    if (mkdtemp(&name[0]))
        return name + "/";
    mkdir("feedback", 0700);
    return "feedback/";
#endif
}

namespace std { using ::adapterExit; }

#define main adapterMain
#define exit(status) adapterExit(status)
#define _exit(status) adapterExit(status)
#define _Exit(status) adapterExit(status)
#define quick_exit(status) adapterExit(status)

#else // after the validator

#undef main
#undef exit
#undef _exit
#undef _Exit
#undef quick_exit

inline int adapterCall(int (*f)(), int, char **) { return f(); }
inline int adapterCall(int (*f)(int, char **), int argc, char **argv) { return f(argc, argv); }
inline int adapterCall(int (*f)(int, const char **), int argc, char **argv) { return f(argc, const_cast<const char **>(argv)); }

int main(int argc, char *argv[]) {
    (void) argc;
    std::vector<std::string> arguments(1, argv[0]);
#ifndef ADAPTER_INPUT
    if (argc < 3) {
        std::fprintf(stderr, "expected the arguments INPUT OUTPUT ANSWER\n");
        return 3;
    }
#ifdef ADAPTER_CHECKER
    if (!std::freopen(argv[2], "r", stdin)) {
        std::perror(argv[2]);
        return 3;
    }
#endif
    adapterFeedback = adapterFolder();
    if (argc > 4 && argv[4][0] != '-')
        adapterReport = argv[4];
    arguments.push_back(argv[1]);
    arguments.push_back(argc > 3 ? argv[3] : argv[1]); // an interactor may get no answer
    arguments.push_back(adapterFeedback);
#endif
    const char *further[] = {ADAPTER_ARGUMENTS NULL};
    for (int i = 0; further[i]; i++)
        arguments.push_back(further[i]);
    std::vector<char *> pointers;
    for (std::size_t i = 0; i < arguments.size(); i++)
        pointers.push_back(&arguments[i][0]);
    pointers.push_back(NULL);
    adapterExit(adapterCall(adapterMain, int(arguments.size()), &pointers[0]));
}

#endif
