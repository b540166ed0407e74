package mutate

// An Operator makes mutants that imitate one kind of bug.
type Operator struct {
	Name       string  // unique; words joined by hyphens
	Bug        string  // the bug that it imitates
	Killed     Example // the mutant prints something else, or does not end
	Equivalent Example // no input distinguishes the mutant from the original, as far as the problem's bounds allow

	find func(*outline, add)
}

// An Example is a program and one of its mutants by an operator.
type Example struct {
	Language      string // code of the language; "" means python3
	Before, After string
	Input         string
}

// Operators are all operators. If two make the same mutant, it belongs to the first.
var Operators = []Operator{
	{
		Name: "short-read", find: shortReads,
		Bug: "a loop reads one item too few, as when the first is read before it",
		Killed: Example{"", "n = int(input())\ns = 0\nfor i in range(n):\n    s += int(input())\nprint(s)\n",
			"n = int(input())\ns = 0\nfor i in range(n - 1):\n    s += int(input())\nprint(s)\n", "3\n1\n2\n3\n"},
		Equivalent: Example{"", "for i in range(int(input())):\n    line = input()\nprint('end')\n",
			"for i in range(int(input()) - 1):\n    line = input()\nprint('end')\n", "2\na\nb\n"},
	},
	{
		Name: "loop-bound", find: loopBounds,
		Bug: "a loop ends one step too early or too late",
		Killed: Example{"", "i = 0\nwhile i < 3:\n    print(i)\n    i += 1\n",
			"i = 0\nwhile i <= 3:\n    print(i)\n    i += 1\n", ""},
		Equivalent: Example{"", "n = int(input())\nd = 2\nwhile d * d < n + 1:\n    d += 1\n    if n % d == 0:\n        " +
			"break\nprint(n)\n", "n = int(input())\nd = 2\nwhile d * d <= n + 1:\n    d += 1\n    if n % d == 0:\n        " +
			"break\nprint(n)\n", "35\n"},
	},
	{
		Name: "loop-start", find: loopStarts,
		Bug:    "a counting loop skips the first value, or starts at 0 instead of 1",
		Killed: Example{"", "for i in range(1, 3):\n    print(i)\n", "for i in range(0, 3):\n    print(i)\n", ""},
		Equivalent: Example{"", "s = 0\nfor i in range(5):\n    s += i\nprint(s)\n",
			"s = 0\nfor i in range(1, 5):\n    s += i\nprint(s)\n", ""},
	},
	{
		Name: "wrong-rounding", find: wrongRounding,
		Bug: "a quotient is rounded down instead of up",
		Killed: Example{"", "n, k = map(int, input().split())\nprint((n + k - 1) // k)\n",
			"n, k = map(int, input().split())\nprint((n) // k)\n", "7 3\n"},
		Equivalent: Example{"", "k = int(input())\nn = 6 * k\nprint((n + k - 1) // k)\n",
			"k = int(input())\nn = 6 * k\nprint((n) // k)\n", "3\n"},
	},
	{
		Name: "off-by-one", find: offByOne,
		Bug:        "a sum misses a one or has one too much: a[n] for a[n - 1], hi - lo for hi - lo + 1, 0..=n for 0..n",
		Killed:     Example{"", "lo, hi = 3, 5\nprint(hi - lo + 1)\n", "lo, hi = 3, 5\nprint(hi - lo)\n", ""},
		Equivalent: Example{"", "a = [4, 4]\nprint(a[len(a) - 1])\n", "a = [4, 4]\nprint(a[len(a) - 2])\n", ""},
	},
	{
		Name: "wrong-constant", find: wrongConstants,
		Bug:        "a number in a comparison is off by one, such as the smallest prime or the number of neighbours",
		Killed:     Example{"", "x = int(input())\nprint(x > 9)\n", "x = int(input())\nprint(x > 10)\n", "10\n"},
		Equivalent: Example{"", "x = int(input()) * 2\nprint(x >= 10)\n", "x = int(input()) * 2\nprint(x >= 9)\n", "5\n"},
	},
	{
		Name: "small-size", find: smallSizes,
		Bug: "an array or a constant is too small for the largest input",
		Killed: Example{"c", "#include <stdio.h>\n#define MOST 10\nint main(void) {\n    int n, sum = 0;\n    " +
			"scanf(\"%d\", &n);\n    for (int i = 0; i < n && i < MOST; i++) sum += i;\n    printf(\"%d\\n\", sum);\n}\n",
			"#include <stdio.h>\n#define MOST 5\nint main(void) {\n    int n, sum = 0;\n    scanf(\"%d\", &n);\n    for (int " +
				"i = 0; i < n && i < MOST; i++) sum += i;\n    printf(\"%d\\n\", sum);\n}\n", "8\n"},
		Equivalent: Example{"c", "#include <stdio.h>\nint main(void) {\n    char name[64];\n    scanf(\"%7s\", name);\n   " +
			" puts(name);\n}\n", "#include <stdio.h>\nint main(void) {\n    char name[32];\n    scanf(\"%7s\", name);\n    " +
			"puts(name);\n}\n", "judge\n"},
	},
	{
		Name: "tie-break", find: tieBreaks,
		Bug: "of two equal candidates the other one is taken: <= for < in a comparator or when a best value is " +
			"replaced",
		Killed: Example{"", "best = at = 0\nfor i, x in enumerate(map(int, input().split())):\n    if x > best:\n     " +
			"   best = x\n        at = i\nprint(at)\n",
			"best = at = 0\nfor i, x in enumerate(map(int, input().split())):\n    if x >= best:\n        best = x\n        " +
				"at = i\nprint(at)\n", "5 7 7\n"},
		Equivalent: Example{"", "best = 0\nfor x in map(int, input().split()):\n    if x > best:\n        best = " +
			"x\nprint(best)\n", "best = 0\nfor x in map(int, input().split()):\n    if x >= best:\n        best = " +
			"x\nprint(best)\n", "5 7 7\n"},
	},
	{
		Name: "weak-comparison", find: weakened,
		Bug: "a condition is wrong where both sides are equal: t < limit for t <= limit",
		Killed: Example{"", "t = int(input())\nif t <= 5:\n    print('possible')\n",
			"t = int(input())\nif t < 5:\n    print('possible')\n", "5\n"},
		Equivalent: Example{"", "x = int(input())\nif x < 0:\n    print(-x)\nelse:\n    print(x)\n",
			"x = int(input())\nif x <= 0:\n    print(-x)\nelse:\n    print(x)\n", "0\n"},
	},
	{
		Name: "flipped-comparison", find: flippedComparisons,
		Bug: "a comparison has the opposite direction, or tests for equality instead of difference",
		Killed: Example{"", "a, b = map(int, input().split())\nprint(a < b)\n",
			"a, b = map(int, input().split())\nprint(a > b)\n", "1 2\n"},
		Equivalent: Example{"", "a, b = map(int, input().split())\nif a < b:\n    a, b = b, a\nprint(abs(a - b))\n",
			"a, b = map(int, input().split())\nif a > b:\n    a, b = b, a\nprint(abs(a - b))\n", "1 2\n"},
	},
	{
		Name: "swapped-operands", find: swappedOperands,
		Bug: "two operands, arguments or indexes are exchanged: b - a for a - b, grid[x][y] for grid[y][x]",
		Killed: Example{"", "a, b = map(int, input().split())\nprint(a - b)\n",
			"a, b = map(int, input().split())\nprint(b - a)\n", "5 3\n"},
		Equivalent: Example{"", "a, b = map(int, input().split())\nprint(abs(a - b))\n",
			"a, b = map(int, input().split())\nprint(abs(b - a))\n", "5 3\n"},
	},
	{
		Name: "wrong-variable", find: wrongVariables,
		Bug: "an index is the variable of another loop",
		Killed: Example{"", "a = [1, 2]\nfor i in range(2):\n    for j in range(2):\n        print(a[j])\n",
			"a = [1, 2]\nfor i in range(2):\n    for j in range(2):\n        print(a[i])\n", ""},
		Equivalent: Example{"", "a = [1, 2]\ns = 0\nfor i in range(2):\n    for j in range(2):\n        s += " +
			"a[j]\nprint(s)\n", "a = [1, 2]\ns = 0\nfor i in range(2):\n    for j in range(2):\n        s += a[i]\nprint(s)\n",
			""},
	},
	{
		Name: "wrong-sign", find: wrongSigns,
		Bug: "a term is added instead of subtracted, or the reverse",
		Killed: Example{"", "x, y = map(int, input().split())\nprint(x + y)\n",
			"x, y = map(int, input().split())\nprint(x - y)\n", "2 3\n"},
		Equivalent: Example{"", "x, y = map(int, input().split())\nprint((x + y) % 2)\n",
			"x, y = map(int, input().split())\nprint((x - y) % 2)\n", "2 3\n"},
	},
	{
		Name: "wrong-junction", find: otherJunctions,
		Bug: "two conditions are joined by or instead of and, or the reverse",
		Killed: Example{"", "x = int(input())\nprint(x > 0 and x < 9)\n", "x = int(input())\nprint(x > 0 or x < 9)\n",
			"10\n"},
		Equivalent: Example{"", "x = int(input())\nprint(x > 5 and x > 4 + 1)\n",
			"x = int(input())\nprint(x > 5 or x > 4 + 1)\n", "5\n"},
	},
	{
		Name: "initial-value", find: initialValues,
		Bug: "a variable starts at the wrong value: 1 for 0, 0 for minus infinity, an infinity that is too small",
		Killed: Example{"", "best = -float('inf')\nfor x in map(int, input().split()):\n    best = max(best, " +
			"x)\nprint(best)\n", "best = 0\nfor x in map(int, input().split()):\n    best = max(best, x)\nprint(best)\n",
			"-3 -2\n"},
		Equivalent: Example{"", "x = 0\nx = int(input())\nprint(x)\n", "x = 1\nx = int(input())\nprint(x)\n", "7\n"},
	},
	{
		Name: "missing-reset", find: missingResets,
		Bug: "a variable keeps its value from the test case before",
		Killed: Example{"", "for _ in range(2):\n    s = 0\n    s += int(input())\n    print(s)\n",
			"s = 0\nfor _ in range(2):\n    pass\n    s += int(input())\n    print(s)\n", "1\n2\n"},
		Equivalent: Example{"", "s = 0\nfor _ in range(2):\n    s = 0\n    s = int(input())\n    print(s)\n",
			"s = 0\nfor _ in range(2):\n    pass\n    s = int(input())\n    print(s)\n", "1\n2\n"},
	},
	{
		Name: "narrow-type", find: narrowTypes,
		Bug: "a number has 32 bits instead of 64, or single precision: int for long long",
		Killed: Example{"c", "#include <stdio.h>\nint main(void) {\n    int a;\n    scanf(\"%d\", &a);\n    long long " +
			"b = a;\n    printf(\"%d\\n\", b * b > 0);\n}\n",
			"#include <stdio.h>\nint main(void) {\n    int a;\n    scanf(\"%d\", &a);\n    int b = a;\n    printf(\"%d\\n\", " +
				"b * b > 0);\n}\n", "65536\n"},
		Equivalent: Example{"c", "#include <stdio.h>\nint main(void) {\n    int a;\n    scanf(\"%d\", &a);\n    long long " +
			"b = a % 10;\n    printf(\"%d\\n\", b > 5);\n}\n",
			"#include <stdio.h>\nint main(void) {\n    int a;\n    scanf(\"%d\", &a);\n    int b = a % 10;\n    " +
				"printf(\"%d\\n\", b > 5);\n}\n", "77\n"},
	},
	{
		Name: "modulo", find: moduloSlips,
		Bug: "a remainder is left out, a negative one is not corrected, or the prime is another one",
		Killed: Example{"", "x = int(input())\nprint(x * x % 1000000007)\n", "x = int(input())\nprint(x * x)\n",
			"1000000\n"},
		Equivalent: Example{"", "x = int(input())\nprint((x - 1 + 7) % 7)\n", "x = int(input())\nprint((x - 1) % 7)\n",
			"0\n"},
	},
	{
		Name: "swapped-input", find: swappedInput,
		Bug: "two variables are read in the wrong order: columns before rows",
		Killed: Example{"", "r, c = map(int, input().split())\nprint(r, c)\n",
			"c, r = map(int, input().split())\nprint(r, c)\n", "2 3\n"},
		Equivalent: Example{"", "r, c = map(int, input().split())\nprint(r * c)\n",
			"c, r = map(int, input().split())\nprint(r * c)\n", "2 3\n"},
	},
	{
		Name: "dropped-call", find: droppedCalls,
		Bug: "a value is used without abs, min, max or sorting, or min is written for max",
		Killed: Example{"", "a, b = map(int, input().split())\nprint(abs(a - b))\n",
			"a, b = map(int, input().split())\nprint((a - b))\n", "1 3\n"},
		Equivalent: Example{"", "x = int(input())\nprint(abs(x * x))\n", "x = int(input())\nprint((x * x))\n", "-2\n"},
	},
	{
		Name: "dropped-memo", find: removedMemos,
		Bug: "computed results are not looked up, so that the time is exponential",
		Killed: Example{"", "known = {}\ndef f(n):\n    if n in known:\n        return known[n]\n    known[n] = 1 if " +
			"n < 2 else f(n - 1) + f(n - 2)\n    return known[n]\nprint(f(60))\n",
			"known = {}\ndef f(n):\n    pass\n    known[n] = 1 if n < 2 else f(n - 1) + f(n - 2)\n    return " +
				"known[n]\nprint(f(60))\n", ""},
		Equivalent: Example{"", "known = {}\ndef f(n):\n    if n in known:\n        return known[n]\n    known[n] = 1 if " +
			"n < 2 else n * f(n - 1)\n    return known[n]\nprint(f(6))\n",
			"known = {}\ndef f(n):\n    pass\n    known[n] = 1 if n < 2 else n * f(n - 1)\n    return known[n]\nprint(f(6))\n",
			""},
	},
	{
		Name: "dropped-pruning", find: removedPruning,
		Bug: "a search or a loop does not stop where it should: a visited node, a hopeless branch, a case that is done",
		Killed: Example{"", "edges, seen = [1, 0], set()\ndef visit(v):\n    if v in seen:\n        return\n    " +
			"seen.add(v)\n    visit(edges[v])\nvisit(0)\nprint(len(seen))\n",
			"edges, seen = [1, 0], set()\ndef visit(v):\n    pass\n    seen.add(v)\n    " +
				"visit(edges[v])\nvisit(0)\nprint(len(seen))\n", ""},
		Equivalent: Example{"", "s = 0\nfor x in map(int, input().split()):\n    if x == 0:\n        continue\n    s += " +
			"x\nprint(s)\n", "s = 0\nfor x in map(int, input().split()):\n    pass\n    s += x\nprint(s)\n", "1 0 2\n"},
	},
	{
		Name: "early-exit", find: earlyExits,
		Bug: "a loop ends too early: after its first execution, or by break instead of continue",
		Killed: Example{"", "for x in input().split():\n    if x == '0':\n        continue\n    print(x)\n",
			"for x in input().split():\n    if x == '0':\n        break\n    print(x)\n", "1 0 2\n"},
		Equivalent: Example{"", "for i in range(1):\n    print(i)\n    print(i)\n",
			"for i in range(1):\n    print(i)\n    print(i)\n    break\n", ""},
	},
	{
		Name: "missed-exit", find: missedExits,
		Bug: "a loop goes on after the answer is known",
		Killed: Example{"", "at = -1\nfor i, x in enumerate(input().split()):\n    if x == '7':\n        at = i\n     " +
			"   break\nprint(at)\n", "at = -1\nfor i, x in enumerate(input().split()):\n    if x == '7':\n        at = i\n   " +
			"     pass\nprint(at)\n", "7 7\n"},
		Equivalent: Example{"", "found = False\nfor x in input().split():\n    if x == '7':\n        found = True\n       " +
			" break\nprint(found)\n",
			"found = False\nfor x in input().split():\n    if x == '7':\n        found = True\n        pass\nprint(found)\n",
			"7 7\n"},
	},
	{
		Name: "dropped-condition", find: droppedConditions,
		Bug:        "a condition or a part of one is forgotten, or the statement that it guards",
		Killed:     Example{"", "x = int(input())\nprint(x > 0 and x < 9)\n", "x = int(input())\nprint(x > 0)\n", "10\n"},
		Equivalent: Example{"", "x = int(input())\nprint(x > 5 and x > 3 + 1)\n", "x = int(input())\nprint(x > 5)\n", "5\n"},
	},
	{
		Name: "dropped-else", find: droppedElse,
		Bug: "the other case is forgotten",
		Killed: Example{"", "x = int(input())\nif x > 0:\n    print('yes')\nelse:\n    print('no')\n",
			"x = int(input())\nif x > 0:\n    print('yes')\n\n", "0\n"},
		Equivalent: Example{"", "x = int(input())\nif x > 0:\n    print('yes')\nelse:\n    x = 0\n",
			"x = int(input())\nif x > 0:\n    print('yes')\n\n", "1\n"},
	},
	{
		Name: "dropped-statement", find: droppedStatements,
		Bug:        "a statement is forgotten: a mark that is not taken back, an update, a sort",
		Killed:     Example{"", "a = [2, 1]\na.sort()\nprint(a[0])\n", "a = [2, 1]\npass\nprint(a[0])\n", ""},
		Equivalent: Example{"", "a = [2, 1]\na.sort()\nprint(sum(a))\n", "a = [2, 1]\npass\nprint(sum(a))\n", ""},
	},
}
