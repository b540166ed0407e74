// Compares lines of words as other systems do. The arguments are INPUT ANSWER
// FEEDBACK_FOLDER and one of these; the output is standard input:
//
//   standard        DMOJ's checker standard: lines with words, equal words in each
//   identical       DMOJ's identical: equal bytes, where the answer ends with a line feed
//   floats P        DMOJ's floats: numbers within 1e-P, absolutely or relatively
//   floatsabs P, floatsrel P
//   white-diff      CMS: equal words in each line, also in empty ones, but for those at the end
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

typedef std::vector<std::string> Words;

static std::string all(std::istream &from) {
    return std::string(std::istreambuf_iterator<char>(from), std::istreambuf_iterator<char>());
}

static bool space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static Words words(const std::string &line) {
    Words found;
    for (std::size_t i = 0; i < line.size();) {
        std::size_t from = i;
        while (i < line.size() && !space(line[i]))
            i++;
        if (i > from)
            found.push_back(line.substr(from, i - from));
        while (i < line.size() && space(line[i]))
            i++;
    }
    return found;
}

// lines splits a text at the characters in ends. Empty lines, or also those without
// words, can be left out.
static std::vector<Words> lines(const std::string &text, const std::string &ends, bool empty, bool blank) {
    std::vector<Words> found;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = text.find_first_of(ends, i);
        if (end == std::string::npos)
            end = text.size();
        Words line = words(text.substr(i, end - i));
        if ((end > i || empty) && (!line.empty() || blank))
            found.push_back(line);
        i = end + 1;
    }
    return found;
}

// number parses a number as Python does.
static bool number(const std::string &word, double &value) {
    std::string digits;
    for (std::size_t i = 0; i < word.size(); i++) {
        if (word[i] == 'x' || word[i] == 'X' || word[i] == '(')
            return false;
        bool between = i > 0 && i + 1 < word.size() && std::isdigit((unsigned char) word[i - 1]) &&
                       std::isdigit((unsigned char) word[i + 1]);
        if (word[i] != '_' || !between)
            digits += word[i];
    }
    char *end;
    value = std::strtod(digits.c_str(), &end);
    return !digits.empty() && end == digits.c_str() + digits.size();
}

static bool near(const std::string &mode, double output, double answer, double epsilon) {
    bool absolute = std::fabs(output - answer) <= epsilon;
    if (mode == "floatsabs")
        return absolute;
    if (mode == "floatsrel") {
        double a = answer * (1 - epsilon), b = answer * (1 + epsilon);
        return std::fmin(a, b) <= output && output <= std::fmax(a, b);
    }
    return absolute || (std::fabs(answer) >= epsilon && std::fabs(1.0 - output / answer) <= epsilon);
}

int main(int argc, char *argv[]) {
    if (argc < 5) {
        std::cerr << "expected the arguments INPUT ANSWER FEEDBACK_FOLDER and the name of a comparison\n";
        return 1;
    }
    std::string mode = argv[4];
    std::ifstream file(argv[2], std::ios::binary);
    std::ofstream message((std::string(argv[3]) + "/judgemessage.txt").c_str());
    std::string answer = all(file), output = all(std::cin);
    if (mode == "identical") {
        if (!answer.empty() && answer[answer.size() - 1] != '\n')
            answer += '\n';
        if (answer != output)
            message << "the output differs\n";
        return answer == output ? 42 : 43;
    }
    bool floats = mode.compare(0, 6, "floats") == 0, white = mode == "white-diff";
    if ((!floats && !white && mode != "standard") || (floats && argc < 6)) {
        std::cerr << mode << ": is no comparison\n";
        return 1;
    }
    double epsilon = floats ? std::pow(10.0, -std::atoi(argv[5])) : 0;
    std::vector<Words> a = lines(answer, white ? "\n" : "\r\n", white, white || floats);
    std::vector<Words> o = lines(output, white ? "\n" : "\r\n", white, white || floats);
    while (white && !a.empty() && a.back().empty())
        a.pop_back();
    while (white && !o.empty() && o.back().empty())
        o.pop_back();
    for (std::size_t i = 0; i < a.size() && i < o.size(); i++) {
        bool same = a[i].size() == o[i].size();
        for (std::size_t j = 0; same && j < a[i].size(); j++) {
            double x, y;
            if (floats && number(a[i][j], y))
                same = number(o[i][j], x) && near(mode, x, y, epsilon);
            else
                same = a[i][j] == o[i][j];
        }
        if (!same) {
            message << "line " << i + 1 << " differs\n";
            return 43;
        }
    }
    if (a.size() != o.size())
        message << "expected " << a.size() << " lines, found " << o.size() << "\n";
    return a.size() == o.size() ? 42 : 43;
}
