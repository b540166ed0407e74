package statement

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"crucible/judge/problem"
)

// pixel is a PNG of one pixel.
const pixel = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00:~\x9bU\x00\x00\x00\nIDATx\x9cc`\x00\x00\x00\x02\x00\x01H\xaf\xa4q\x00\x00\x00\x00IEND\xaeB`\x82"

// packageWith returns a package with these files besides problem.yaml and a picture.
func packageWith(t testing.TB, files map[string]string) *problem.Problem {
	t.Helper()
	fsys := fstest.MapFS{
		"problem.yaml": {Data: []byte("problem_format_version: 2025-09\nname: {en: Sum & <Co>, sv: Summa}\nuuid: 7e57d004-2b97-4e7a-b45f-5387367791cd\n" +
			"credits: {authors: [Ada <ada@x.org>, Bob], translators: {sv: Eva}}\nsource: {name: Cup, url: \"https://x.org/cup\"}\nlicense: cc by-sa\nlimits: {time_limit: 1.5, time_resolution: 0.5}\nconstants: {max: {value: 1000, tex: \"10^3\"}}\n")},
		"statement/dot.png": {Data: []byte(pixel)},
	}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	p, err := problem.OpenWithoutData(fsys)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// renderText renders one statement in a package with two samples.
func renderText(t testing.TB, name, text string) (*Page, error) {
	t.Helper()
	p := packageWith(t, map[string]string{
		name:               text,
		"data/sample/1.in": "1 2\n", "data/sample/1.ans": "3\n", "data/sample/2.interaction": "<a\n>b\n---\n<c\n",
	})
	return Render(p, File{Language: "en", Name: name})
}

// bodyOf returns the body of a page without its samples.
func bodyOf(page *Page) string {
	body, _, _ := strings.Cut(page.Body, "<section class=\"sample\">")
	return strings.TrimSpace(body)
}

func TestLaTeX(t *testing.T) {
	for _, tt := range []struct{ name, source, want string }{
		{"a blank line ends a paragraph", "a b\n c\n\nd", "<p>a b c</p>\n<p>d</p>"},
		{"a comment joins lines", "a% b\n   c", "<p>ac</p>"},
		{"quotes and dashes", "``a'' `b' it's -- --- <<c>>", "<p>“a” ‘b’ it’s – — «c»</p>"},
		{"typewriter text has no dashes", `\texttt{a--b 'c'} {\tt ` + "`L'}", "<p><code>a--b &#39;c&#39;</code> <code>‘L’</code></p>"},
		{"styles nest", `\textbf{a \emph{b}} c`, "<p><b>a <em>b</em></b> c</p>"},
		{"a declaration ends with its group", `{\bf a} b`, "<p><b>a</b> b</p>"},
		{"a declaration covers paragraphs", "{\\bf a\n\nb} c", "<p><b>a</b></p>\n<p><b>b</b> c</p>"},
		{"text is escaped", `a < b \& c > "d"`, "<p>a &lt; b &amp; c &gt; &#34;d&#34;</p>"},
		{"accents", `\"o \'{e} \c{c} \aa\ x`, "<p>ö é ç å x</p>"},
		{"a section ends the paragraph", "a \\section*{B $x$}\nc", "<p>a</p>\n<h2>B <math><mi>x</mi></math></h2>\n<p>c</p>"},
		{"environments of the format", "\\begin{Input}a\\end{Input}", "<h2>Input</h2>\n<p>a</p>"},
		{"lists", "\\begin{itemize}\\item a\n\n b \\item[x] c\\end{itemize}", "<ul>\n<li><p>a</p>\n<p>b</p>\n</li>\n<li class=\"labelled\"><p><span class=\"label\">x</span> c</p>\n</li>\n</ul>"},
		{"verbatim text is kept", "\\begin{verbatim}\n\\a  %<b>\n\\end{verbatim}", "<pre>\\a  %&lt;b&gt;\n</pre>"},
		{"verb", `\verb|\a%|`, `<p><code>\a%</code></p>`},
		{"macros with arguments", `\newcommand{\two}[2][x]{#1-#2}\two{a} \two[b]{c}`, "<p>x-a b-c</p>"},
		{"macros in formulas", `\newcommand{\maxn}{10}$n\le\maxn$`, "<p><math><mrow><mi>n</mi><mo>≤</mo><mn>10</mn></mrow></math></p>"},
		{"constants", `\constant{max} $\constant{max.tex}$`, "<p>1000 <math><msup><mn>10</mn><mn>3</mn></msup></math></p>"},
		{"a link", `\href{https://x.org/?a=1\&b}{t}`, `<p><a href="https://x.org/?a=1&amp;b" rel="noopener noreferrer nofollow">t</a></p>`},
		{"a label is resolved before it is defined", "\\ref{f}\\begin{figure}\\caption{c}\\label{f}\\end{figure}", "<p>1</p>\n<figure><figcaption>Figure 1: c</figcaption>\n</figure>"},
		{"a table", "\\begin{tabular}{| l | r |}\\hline a & b \\\\ \\cline{2-2} \\multicolumn{2}{c}{d}\\\\ \\hline\\end{tabular}",
			"<div class=\"scroll\"><table class=\"tabular\"><tbody>\n<tr><td class=\"align-l rule-left rule-right rule-above\">a</td><td class=\"align-r rule-right rule-above\">b</td></tr>\n<tr><td class=\"align-c rule-below\" colspan=\"2\">d</td></tr>\n</tbody></table></div>"},
		{"a cell over two rows", "\\begin{tabular}{ll}\\multirow{2}{*}{a} & b \\\\ & c\\end{tabular}",
			"<div class=\"scroll\"><table class=\"tabular\"><tbody>\n<tr><td class=\"align-l\" rowspan=\"2\">a</td><td class=\"align-l\">b</td></tr>\n<tr><td class=\"align-l\">c</td></tr>\n</tbody></table></div>"},
		{"a footnote comes last", "a\\footnote{b} c", "<p>a<sup class=\"note\"><a href=\"#note-1\" id=\"noteref-1\">1</a></sup> c</p>"},
	} {
		page, err := renderText(t, "statement/problem.en.tex", tt.source)
		if err != nil {
			t.Errorf("%s: Render(%q): %v", tt.name, tt.source, err)
			continue
		}
		if diff := cmp.Diff(tt.want, bodyOf(page)); diff != "" {
			t.Errorf("%s: Render(%q) (-want +got):\n%s", tt.name, tt.source, diff)
		}
	}
}

func TestLaTeXErrors(t *testing.T) {
	for _, tt := range []struct {
		source, want string
		tex          bool
	}{
		{"a\n \\foo b", `2:2: \foo: unknown command`, true},
		{"\\begin{tikzpicture}\\end{tikzpicture}", `1:1: \begin{tikzpicture}: unknown environment`, true},
		{"\\usepackage{tikz}", `1:1: \usepackage{tikz}: unknown package`, true},
		{"a\n{b", "2:1: { without }", false},
		{"a}", "1:2: } without {", false},
		{"\\begin{center}a", `1:1: \begin{center} without \end{center}`, false},
		{"\\begin{center}\n\\end{quote}", `2:1: \end{quote}: expected \end{center}`, false},
		{"a_b", `1:2: _ outside a formula or table: expected \_`, false},
		{"x $a", "1:3: $ without $ at the end of the formula", false},
		{"a\n$x + \\nope$", `2:6: formula "x + \\nope": unsupported function name: \nope`, false},
		{"\\includegraphics{../../secret.png}", `1:1: \includegraphics{../../secret.png}: expected a file in the folder of the statement`, false},
		{"\\includegraphics{none.png}", `1:1: \includegraphics{none.png}: no such file: expected .png, .jpg, .svg or .pdf`, false},
		{"\n\\nextsample\\nextsample\n\\nextsample", `3:1: \nextsample: there are no more samples`, false},
		{"\\newcommand{\\a}{\\a\\a}\\a", `1:22: \a: macros expand to too much text`, false},
		{"\\constant{min}", `1: \constant{min}: problem.yaml has no constant of that name`, false},
	} {
		_, err := renderText(t, "statement/problem.en.tex", tt.source)
		if err == nil || !strings.HasPrefix(err.Error()+"\n", "statement/problem.en.tex:"+tt.want+"\n") || errors.Is(err, ErrNeedsTeX) != tt.tex {
			t.Errorf("Render(%q): %v (needs TeX: %v)\nexpected %s (needs TeX: %v)", tt.source, err, errors.Is(err, ErrNeedsTeX), tt.want, tt.tex)
		}
	}
}

func TestMarkdown(t *testing.T) {
	for _, tt := range []struct{ name, source, want string }{
		{"formulas are not Markdown", "$a_1 * b_2*c$ *d*", "<p><math><mrow><msub><mi>a</mi><mn>1</mn></msub><mo>∗</mo><msub><mi>b</mi><mn>2</mn></msub><mo>∗</mo><mi>c</mi></mrow></math> <em>d</em></p>"},
		{"code binds tighter than a formula", "costs $5, `a$b`", "<p>costs $5, <code>a$b</code></p>"},
		{"quotes in a formula", "$\\text{``a''}$ `b`", "<p><math><mtext>“a”</mtext></math> <code>b</code></p>"},
		{"a dollar can be escaped", `\$5 and \$6`, "<p>$5 and $6</p>"},
		{"code has no formulas", "`$a$`", "<p><code>$a$</code></p>"},
		{"headings are below the name", "# A\n## B", "<h2>A</h2>\n<h3>B</h3>"},
		{"headings below the name stay", "## A\n### B", "<h2>A</h2>\n<h3>B</h3>"},
		{"constants", "{{max}} ${{max.tex}}$ {{other}}", "<p>1000 <math><msup><mn>10</mn><mn>3</mn></msup></math> {{other}}</p>"},
		{"a table with a bar in a formula", "| a |\n|---|\n| $\\|s\\|$ |", "<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td><math><mrow><mi>|</mi><mi>s</mi><mi>|</mi></mrow></math></td>\n</tr>\n</tbody>\n</table>"},
		{"safe elements of HTML", "x<sup>2</sup>", "<p>x<sup>2</sup></p>"},
	} {
		page, err := renderText(t, "statement/problem.en.md", tt.source)
		if err != nil {
			t.Errorf("%s: Render(%q): %v", tt.name, tt.source, err)
			continue
		}
		if diff := cmp.Diff(tt.want, bodyOf(page)); diff != "" {
			t.Errorf("%s: Render(%q) (-want +got):\n%s", tt.name, tt.source, diff)
		}
	}
}

func TestMarkdownErrors(t *testing.T) {
	for _, tt := range []struct{ source, want string }{
		{"a\n\n$x \\nope$", `3:4: formula "x \\nope": unsupported function name: \nope`},
		{"a\n![](none.png)", `2:5: picture "none.png": no such file: expected .png, .jpg, .svg or .pdf`},
		{"![](https://x.org/a.png)", `1:5: picture "https://x.org/a.png": expected a file in the folder of the statement`},
		{"{{nextsample}}\n\n{{nextsample}}\n\n{{nextsample}}", `5:1: {{nextsample}}: there are no more samples`},
	} {
		if _, err := renderText(t, "statement/problem.en.md", tt.source); err == nil || err.Error() != "statement/problem.en.md:"+tt.want {
			t.Errorf("Render(%q): %v\nexpected %s", tt.source, err, tt.want)
		}
	}
}

// TestSamples checks where samples are shown, and that each is shown once.
func TestSamples(t *testing.T) {
	first, second := "Sample Input 1", "Sample Interaction 2"
	for _, tt := range []struct{ name, source string }{
		{"statement/problem.en.md", "A\n\n{{nextsample}}\n\nB\n\n{{remainingsamples}}\n\nC"},
		{"statement/problem.en.tex", "A\n\\nextsample{}\nB\n\\remainingsamples{}\nC"},
	} {
		page, err := renderText(t, tt.name, tt.source)
		if err != nil {
			t.Error(err)
			continue
		}
		last := -1
		for _, part := range []string{"A", first, "1 2\n", "3\n", "B", second, "Pass 1", "Pass 2", "C"} {
			at := strings.Index(page.Body, part)
			if at <= last || strings.Count(page.Body, part) != 1 && len(part) > 1 {
				t.Errorf("%s: %q is at %d of the page, after the part before it at %d:\n%s", tt.name, part, at, last, page.Body)
			}
			last = at
		}
	}
	page, err := renderText(t, "statement/problem.en.md", "A")
	if err != nil || !strings.Contains(page.Body, first) || !strings.Contains(page.Body, second) {
		t.Errorf("Render(A) = %v, %v; expected both samples at the end", page, err)
	}
}

// TestPage checks the header and the footer, and that a page has the same bytes again.
func TestPage(t *testing.T) {
	p := packageWith(t, map[string]string{"statement/problem.sv.md": "$n$", "statement/problem.en.tex": "\\problemname{Sum of $x_1$}\n\\includegraphics[width=.5\\textwidth]{dot}"})
	files, err := Files(p)
	if diff := cmp.Diff([]File{{"en", "statement/problem.en.tex"}, {"sv", "statement/problem.sv.md"}}, files); diff != "" || err != nil {
		t.Fatalf("Files: %v (-want +got):\n%s", err, diff)
	}
	for i, want := range [][]string{
		{`<html lang="en">`, "<h1>Sum of <math><msub><mi>x</mi><mn>1</mn></msub></math></h1>", "<dt>Time limit</dt><dd>1.5 seconds</dd>", "<dt>Memory limit</dt><dd>2 GiB</dd>",
			"<dt>Author</dt><dd>Ada, Bob</dd>", `<dt>Source</dt><dd><a href="https://x.org/cup" rel="noopener noreferrer nofollow">Cup</a></dd>`, ">CC BY-SA</a>", `src="data:image/png;base64,iVBOR`, `style="width:50%"`},
		{`<html lang="sv">`, "<title>Summa</title>", "<dt>Tidsgräns</dt><dd>1.5 sekunder</dd>", "<dt>Översättning</dt><dd>Eva</dd>"},
	} {
		var pages [2][]byte
		for n := range pages {
			page, err := Render(p, files[i])
			if err != nil {
				t.Fatal(err)
			}
			if pages[n], err = page.HTML(); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(pages[0], pages[1]) {
			t.Errorf("%s: the second page differs from the first", files[i].Name)
		}
		for _, part := range want {
			if !bytes.Contains(pages[0], []byte(part)) {
				t.Errorf("%s: the page has no %s:\n%s", files[i].Name, part, pages[0])
			}
		}
	}
}

// TestCopiedSamples checks that samples in the text of a statement are those of the
// package.
func TestCopiedSamples(t *testing.T) {
	for _, tt := range []struct{ name, source, want string }{
		{"equal but for space", "## Sample Input 1\n\n```\n1 2 \n```\n\n## Sample Output 1\n\n```\n3\n\n```", ""},
		{"another output", "## Example output\n\n```\n4\n```", `1:4: "Example output": differs from the output of data/sample/1`},
		{"no such sample", "## Sample Input 7\n\n```\n1\n```", `1:4: "Sample Input 7": there are only 2 samples`},
		{"no sample", "## Output\n\n```\n4\n```", ""},
	} {
		_, err := renderText(t, "statement/problem.en.md", tt.source)
		got := ""
		if err != nil {
			got = strings.TrimPrefix(err.Error(), "statement/problem.en.md:")
		}
		if got != tt.want {
			t.Errorf("%s: Render(%q): %s\nexpected %s", tt.name, tt.source, got, tt.want)
		}
	}
	if _, err := renderText(t, "statement/problem.en.tex", "\\section*{Sample Input 1}\n\\begin{verbatim}\n2 1\n\\end{verbatim}"); err == nil {
		t.Error("Render of another sample in LaTeX: no error")
	}
}
