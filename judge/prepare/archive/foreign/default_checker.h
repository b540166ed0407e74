// The default output validator of the problem package format 2025-09, with the conventions
// of testlib: the arguments are the input, the output and the answer; status 0 accepts, 1
// rejects, 3 is a failure. CASE_SENSITIVE and SPACE_SENSITIVE are 0 or 1; ABSOLUTE and
// RELATIVE are tolerances, negative if not set. Numbers are compared in floating point: an
// output that exceeds a tolerance by a rounding error is accepted.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

static bool space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static bool digit(char c) { return c >= '0' && c <= '9'; }
static char lower(char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; }

static std::string read(const char *name) {
    std::ifstream file(name, std::ios::binary);
    if (!file) {
        std::fprintf(stderr, "%s: cannot be read\n", name);
        std::exit(3);
    }
    return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

// next returns the token at a position or, with of == true, the white space.
static std::string next(const std::string &text, std::size_t &at, bool of) {
    std::size_t from = at;
    while (at < text.size() && space(text[at]) == of)
        at++;
    return text.substr(from, at - from);
}

// number parses a decimal number; inf, nan and hexadecimal numbers are none.
static bool number(const std::string &t, long double &value) {
    std::size_t i = 0, digits = 0;
    if (i < t.size() && (t[i] == '+' || t[i] == '-'))
        i++;
    for (; i < t.size() && digit(t[i]); i++)
        digits++;
    if (i < t.size() && t[i] == '.')
        for (i++; i < t.size() && digit(t[i]); i++)
            digits++;
    if (digits == 0)
        return false;
    if (i < t.size() && (t[i] == 'e' || t[i] == 'E')) {
        i++;
        if (i < t.size() && (t[i] == '+' || t[i] == '-'))
            i++;
        std::size_t first = i;
        while (i < t.size() && digit(t[i]))
            i++;
        if (i == first)
            return false;
    }
    value = std::strtold(t.c_str(), NULL);
    return i == t.size();
}

static bool equal(const std::string &a, const std::string &b) {
    if (a.size() != b.size())
        return false;
    for (std::size_t i = 0; i < a.size(); i++)
        if (CASE_SENSITIVE ? a[i] != b[i] : lower(a[i]) != lower(b[i]))
            return false;
    return true;
}

static bool near(long double s, long double a) {
    long double off = std::fabs(s - a), slack = (std::fabs(s) + std::fabs(a)) * 1e-15L;
    return s == a || (ABSOLUTE >= 0 && off <= ABSOLUTE + slack) || (RELATIVE >= 0 && off <= RELATIVE * std::fabs(a) + slack);
}

static bool same(const std::string &output, const std::string &answer) {
    long double s, a;
    if (equal(output, answer))
        return true;
    return (ABSOLUTE >= 0 || RELATIVE >= 0) && number(answer, a) && number(output, s) && near(s, a);
}

static int reject(int token, const std::string &output, const std::string &answer) {
    std::fprintf(stderr, "token %d: expected '%.50s', found '%.50s'\n", token, answer.c_str(), output.c_str());
    return 1;
}

int main(int argc, char *argv[]) {
    if (argc < 4) {
        std::fprintf(stderr, "expected the arguments INPUT OUTPUT ANSWER\n");
        return 3;
    }
    if (argc > 4 && argv[4][0] != '-' && !std::freopen(argv[4], "w", stderr))
        return 3;
    std::string output = read(argv[2]), answer = read(argv[3]);
    std::size_t i = 0, j = 0;
    for (int token = 1;; token++) {
        std::string s = next(output, i, true), a = next(answer, j, true);
        if (SPACE_SENSITIVE && s != a)
            return reject(token, "other white space", "white space");
        s = next(output, i, false), a = next(answer, j, false);
        if (s.empty() && a.empty())
            return 0;
        if (s.empty() || a.empty() || !same(s, a))
            return reject(token, s, a);
    }
}
