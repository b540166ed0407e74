package inputs

// words replaces words that belong together: all of a part of the region.
func (w *mutation) words() bool {
	from, to, ok := w.part()
	if !ok {
		return false
	}
	name := w.classOf(from, 0)
	mode := wordModes[w.pickOption(Options("words "+name+" ", wordModes))]
	var at []*string
	for line := from; line < to; line++ {
		row := w.d.lines[line].tokens
		for i := range row {
			if isWord(row[i]) {
				at = append(at, &row[i])
			}
		}
	}
	if len(at) == 0 {
		return false
	}
	chosen := make([]string, 1+w.Rand.IntN(3))
	letters := make([]byte, 1+w.Rand.IntN(2))
	for i := range chosen {
		chosen[i] = *at[w.Rand.IntN(len(at))]
	}
	for i := range letters {
		one := *at[w.Rand.IntN(len(at))]
		letters[i] = one[w.Rand.IntN(len(one))]
	}
	for _, word := range at {
		switch mode {
		case "few":
			*word = chosen[w.Rand.IntN(len(chosen))]
		case "first character":
			one := chosen[w.Rand.IntN(len(chosen))]
			*word = one[:1] + (*word)[1:]
		case "few characters":
			text := []byte(*word)
			for i := range text {
				text[i] = letters[w.Rand.IntN(len(letters))]
			}
			*word = string(text)
		case "shuffle":
			one := at[w.Rand.IntN(len(at))]
			*word, *one = *one, *word
		case "cut":
			*word = (*word)[:min(len(*word), 1+len(chosen))]
		}
	}
	return true
}

// wordModes are the ways to choose words that belong together: from a few of them; with the
// first character of some, such as a sign; with one or two characters; in another order;
// or all with a few characters at most.
var wordModes = []string{"few", "first character", "few characters", "shuffle", "cut"}
