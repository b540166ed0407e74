package testkit

import "testing/fstest"

// Echo returns the package of a problem with three cases: repeat the input. Its
// submissions are shell scripts.
func Echo() fstest.MapFS {
	files := make(fstest.MapFS)
	for name, text := range map[string]string{
		"problem.yaml": "problem_format_version: 2025-09\nname: Echo\nuuid: " +
			"7e57d004-2b97-4e7a-b45f-5387367791cd\nlimits: {time_limit: 2}\n",
		"statement/problem.en.md":         "Repeat the input.\n",
		"data/sample/1.in":                "1\n",
		"data/sample/1.ans":               "1\n",
		"data/secret/2.in":                "2\n",
		"data/secret/2.ans":               "2\n",
		"data/secret/3.in":                "3\n",
		"data/secret/3.ans":               "3\n",
		"submissions/accepted/cat.sh":     "cat\n",
		"submissions/wrong_answer/1.sh":   "echo 1\n",
		"submissions/run_time_error/2.sh": "read -r a\n[ $a = 1 ] && echo 1 || exit 3\n",
	} {
		files[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
	}
	return files
}
