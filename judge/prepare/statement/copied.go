package statement

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"crucible/judge/internal/lazy"
)

// sampleHeading matches the headings of samples that a statement contains itself, such
// as "Sample Input 1", "Example output" or "Indata, exempel 2".
var (
	sampleHeading = lazy.Regexp(`(?i)^\W*(?:(?:sample|example|exempel|eksempel|beispiel|` +
		`voorbeeld)\S*\s*(?:på\s+|for\s+)?(?:(\d+)\s*)?)(input|in|indata|eingabe|invoer|output|out|utdata|ausgabe|` +
		`uitvoer)\b\W*(\d+)?\W*$`)
	sampleOutput = lazy.Regexp(`(?i)^(?:out|utdata|ausgabe|uitvoer)`)
)

// compareSamples adds an error for each sample in the text of a statement that differs
// from the file of that sample. The samples that the page adds are not below a heading.
func (r *renderer) compareSamples(body *html.Node) {
	samples, err := samplesOf(r.p)
	if err != nil || len(samples) == 0 {
		return
	}
	next := map[bool]int{} // of inputs and outputs without a number
	for n := range body.Descendants() {
		if n.Type != html.ElementNode || len(n.Data) != 2 || n.Data[0] != 'h' || n.Data == "hr" {
			continue
		}
		found := sampleHeading().FindStringSubmatch(strings.TrimSpace(textOf(n)))
		pre := followingPre(n)
		if found == nil || pre == nil {
			continue
		}
		output := sampleOutput().MatchString(found[2])
		next[output]++
		number := next[output]
		if given, err := strconv.Atoi(found[1] + found[3]); err == nil {
			number = given
		}
		text := textOf(pre)
		at := strings.Index(r.source, strings.TrimSpace(textOf(n)))
		if number < 1 || number > len(samples) {
			r.fail(at, "%s: there are only %d samples", quoteSource(textOf(n)), len(samples))
			continue
		}
		s := samples[number-1]
		file, want := "input", s.input
		if output {
			file, want = "output", s.output
		}
		if s.interaction == "" && !sameText(text, want) {
			r.fail(at, "%s: differs from the %s of data/%s", quoteSource(textOf(n)), file, s.name)
		}
	}
}

// sameText reports whether two texts are equal except for space at the ends of lines.
func sameText(a, b string) bool {
	lines := func(s string) string {
		var all []string
		for line := range strings.SplitSeq(strings.TrimSpace(s), "\n") {
			all = append(all, strings.TrimRight(line, " \t\r"))
		}
		return strings.Join(all, "\n")
	}
	return lines(a) == lines(b)
}

// textOf returns the text below a node.
func textOf(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

// followingPre returns the pre element that is the next element, or nil.
func followingPre(n *html.Node) *html.Node {
	for c := n.NextSibling; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			if c.Data == "pre" {
				return c
			}
			return nil
		}
	}
	return nil
}
