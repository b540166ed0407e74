package statement

import (
	"encoding/base64"
	"regexp"
	"strings"
	"testing"

	"crucible/judge/problem"
)

// texRules are rules of LaTeX and of the package format. Each row names the rule, by the
// section of "LaTeX: A Document Preparation System" (guide), of the LaTeX graphics guide
// (graphics), of the manual of a package, or of the format (2025-09), and has what the body of
// the page contains, without ends of lines.
var texRules = []struct{ rule, source, want string }{
	// Arguments, declarations and their scope.
	{`format, "LaTeX environment": \t is code`, `\t{a} b`, "<p><code>a</code> b</p>"},
	{`guide C.1.1: an argument may be one token`, `\t a b`, "<p><code>a</code> b</p>"},
	{`guide C.1.1: the same for \textbf`, `\textbf a b`, "<p><b>a</b> b</p>"},
	{`guide C.1.1: the token may be a macro`, `\newcommand{\x}{yz}\textbf\x{} c`, "<p><b>yz</b> c</p>"},
	{`guide C.8.1: Polygon's \renewcommand{\t}`, `\renewcommand{\t}{\texttt}\t{a} b`, "<p><code>a</code> b</p>"},
	{`guide C.8.1: \renewcommand to another style`, `\renewcommand{\t}{\textit}\t{a} b`, "<p><i>a</i> b</p>"},
	{
		`guide C.8.1: a definition ends with its group`, `{\renewcommand{\t}{\textbf}\t{a}}\t{b}`,
		"<p><b>a</b><code>b</code></p>",
	},
	{`guide C.1.1: a declaration ends with its group`, `{\tt a--b} c--d`, "<p><code>a--b</code> c–d</p>"},
	{
		`guide C.1.1: a declaration is an environment too`, `\begin{small}a\end{small} b`,
		`<p><span class="small">a</span> b</p>`,
	},
	{`guide 2.2.1: an accent alone, on \i and in braces`, `\~{} \^{}x \"{\i} \'\i{} \v{s}`, "<p>~ ^x ï í š</p>"},
	{`guide C.1.1: a blank line after a comment ends a paragraph`, "a % c\n\nb", "<p>a</p><p>b</p>"},
	{`guide C.6.5: \verb* shows spaces; space after \verb`, `\verb*|a b| \verb |x|`, "<code>a␣b</code> <code>x</code>"},
	{`guide C.6.5: verbatim has no options`, "\\begin{verbatim}\n[1, 2]\n\\end{verbatim}", "<pre>[1, 2]</pre>"},
	{`verbatim: a comment is not shown`, "a\\begin{comment}\nx\n\\end{comment}b", "<p>ab</p>"},
	{`guide C.1.6: \\ with a length and with a star`, `a\\[2mm]b\\*c`, "<p>a<br/>b<br/>c</p>"},
	{`guide C.6.1: {\centering} up to the end of the group`, `{\centering a\par} b`, `<p class="center">a</p><p>b</p>`},
	{`hyperref: % in the argument of \url`, `\url{http://a.b/c%20d_e}`, `href="http://a.b/c%20d_e"`},
	{`TeXbook 12: \vskip has no braces`, `a \vskip 2mm plus 1fill b`, "<p>a b</p>"},
	{`babel (Russian): "--- is a dash`, `a "--- b`, "<p>a — b</p>"},
	{`xcolor: a model`, `\textcolor[HTML]{00ff7F}{b}`, `<span style="color:#00ff7f">b</span>`},

	// Macros.
	{
		`guide C.8.1: a default for the first argument in formulas`, `\newcommand{\r}[2][1]{#1 \le #2}$\r{n}$`,
		"<mrow><mn>1</mn><mo>≤</mo><mi>n</mi></mrow>",
	},
	{
		`guide C.8.1: the same given, in display`, `\newcommand{\r}[2][1]{#1 \le #2}$$\r[0]{m}$$`,
		"<mrow><mn>0</mn><mo>≤</mo><mi>m</mi></mrow>",
	},
	{
		`guide C.8.1: the same in an environment`,
		`\newcommand{\r}[2][1]{#1 \le #2}\begin{align*}\r{n}\end{align*}`,
		"<mrow><mn>1</mn><mo>≤</mo><mi>n</mi></mrow>",
	},
	{`guide C.8.1: defined in the formula`, `$\newcommand{\q}[2][3]{#1#2}\q{x}$`, "<mrow><mn>3</mn><mi>x</mi></mrow>"},
	{`guide C.8.1: the star form`, `\newcommand*{\x}[1]{(#1)}\x y`, "<p>(y)</p>"},
	{
		`guide C.8.1: \providecommand changes nothing that is defined`,
		`\providecommand{\textbf}[1]{no}\providecommand{\x}{y}\textbf{\x}`, "<p><b>y</b></p>",
	},
	{
		`TeXbook 20: ## in a macro that defines one`, `\newcommand{\mk}[1]{\newcommand{#1}[1]{<##1>}}\mk{\q}\q{z}`,
		"<p>&lt;z&gt;</p>",
	},
	{
		`TeXbook 20: \def with text between the parameters`, `\def\pair(#1,#2){<#1;#2>}\pair(a,{b,c})`,
		"<p>&lt;a;b,c&gt;</p>",
	},
	{
		`TeXbook 20: the name of a command ends before the text of the next`, `\newcommand{\A}{\alpha}$\A x$`,
		"<mi>α</mi><mi>x</mi>",
	},
	{
		`TeXbook 20: \let keeps the old meaning`, `\let\old\t\renewcommand{\t}[1]{[\old{#1}]}\t{z}`,
		"<p>[<code>z</code>]</p>",
	},
	{`TeXbook 20: \let in formulas`, `\let\l=\le$a\l b$`, "<mi>a</mi><mo>≤</mo><mi>b</mi>"},
	{`amsmath 5.1: \DeclareMathOperator`, `\DeclareMathOperator{\lcm}{lcm}$\lcm(a)$`, "<mi>lcm</mi>"},
	{
		`amsmath 5.1: its star form has limits below`, `\DeclareMathOperator*{\am}{am}$$\am_x$$`,
		"<munder><mi>am</mi><mi>x</mi></munder>",
	},
	{
		`guide C.8.2: \newenvironment with arguments`,
		`\newenvironment{n}[1][N]{\textbf{#1}: }{!}\begin{n}[H]a\end{n} \begin{n}b\end{n}`,
		"<p><b>H</b>: a! <b>N</b>: b!</p>",
	},
	{
		`guide C.8.2: \newenvironment around a table`,
		`\newenvironment{t2}{\begin{tabular}{l}}{\\\hline\end{tabular}}\begin{t2}a\end{t2}`,
		`<td class="align-l rule-below">a</td>`,
	},
	{
		`guide C.8.1: a macro that begins a formula`,
		`\newcommand{\be}{\begin{equation*}}\newcommand{\ee}{\end{equation*}}\be x\ee`, "<mi>x</mi>",
	},
	{
		`guide C.10.1: a macro of cells`,
		`\newcommand{\row}[2]{#1 & #2 \\}\begin{tabular}{ll}\row{a}{b}\hline\row{c}{d}\end{tabular}`,
		`<td class="align-l">b</td></tr><tr><td class="align-l rule-above">c</td>`,
	},
	{
		`guide C.7.2: \ensuremath, and \mbox in formulas`, `\ensuremath{x} $\mbox{a}\ensuremath{y}$`,
		"<math><mi>x</mi></math> <math><mrow><mtext>a</mtext><mi>y</mi></mrow></math>",
	},
	{
		`format: \def\htmlPixelsInCm of Polygon`, `\def \htmlPixelsInCm {45}\includegraphics[width=14.0cm]{dot}`,
		"width:14cm",
	},
	{`guide C.11.4: \input`, `\input{part} b`, "<p>a b</p>"},

	// Lists, counters and references.
	{`guide C.6.2: labels by level`, `\begin{enumerate}\item a\begin{enumerate}\item b\begin{enumerate}\item c\begin{enumerate}\item d\end{enumerate}\end{enumerate}\end{enumerate}\end{enumerate}`,
		`<ol><li><p>a</p><ol><li class="labelled"><p><span class="label">(a)</span> b</p><ol><li class="labelled"><p><span class="label">i.</span> c</p><ol><li class="labelled"><p><span class="label">A.</span> d</p>`},
	{
		`guide C.6.2: \ref of nested items`,
		`\begin{enumerate}\item a\begin{enumerate}\item\label{x}b\begin{enumerate}\item\label{y}c\end{enumerate}\end{enumerate}\end{enumerate}\ref{x} \ref{y}`,
		"<p>1a 1(a)i</p>",
	},
	{
		`enumitem: \ref of an item in a list whose outer list has a label`,
		`\begin{enumerate}[label=\Roman*]\item a\begin{enumerate}\item\label{x}b\end{enumerate}\end{enumerate}\ref{x}`,
		"<p>Ia</p>",
	},
	{`guide C.6.2: \labelenumi; an item with a label has no number`, `\renewcommand{\labelenumi}{\Roman{enumi})}\begin{enumerate}\item a\item[*] s\item b\end{enumerate}`,
		`<span class="label">I)</span> a</p></li><li class="labelled"><p><span class="label">*</span> s</p></li><li class="labelled"><p><span class="label">II)</span> b`},
	{
		`guide C.6.2: \labelitemi and an empty label`,
		`\renewcommand{\labelitemi}{--}\begin{itemize}\item a\item[] b\end{itemize}`,
		`<span class="label">–</span> a</p></li><li class="labelled"><p>b`,
	},
	{
		`guide C.8.4: \theenumi in label and \ref`,
		`\renewcommand{\theenumi}{\alph{enumi}}\begin{enumerate}\item\label{q}a\end{enumerate}\ref{q}`,
		`<span class="label">a.</span> a</p></li></ol><p>a</p>`,
	},
	{
		`guide C.8.4: \setcounter in a list`, `\begin{enumerate}\setcounter{enumi}{-1}\item zero\end{enumerate}`,
		`<span class="label">0.</span> zero`,
	},
	{
		`guide C.8.4: \addtocounter, \value and numerals`,
		`\newcounter{q}\stepcounter{q}\addtocounter{q}{3}\Roman{q} \alph{q} \setcounter{q}{\value{q}}\arabic{q} \theq`,
		"<p>IV d 4 4</p>",
	},
	{
		`guide C.8.4: a counter within another`,
		`\newcounter{a}\newcounter{b}[a]\stepcounter{a}\stepcounter{b}\theb{} \stepcounter{a}\theb`,
		"<p>1.1 2.0</p>",
	},
	{
		`enumitem 3.2: label`,
		`\begin{enumerate}[label=(\alph*), nosep]\item a\item\label{q}b\end{enumerate}\ref{q}`,
		`<span class="label">(b)</span> b</p></li></ol><p>(b)</p>`,
	},
	{
		`enumitem 3.2: ref`,
		`\begin{enumerate}[label=Step \arabic*:,ref=\arabic*]\item\label{q} a\end{enumerate}\ref{q}`,
		`<span class="label">Step 1:</span> a</p></li></ol><p>1</p>`,
	},
	{
		`enumitem 3.2: label*`,
		`\begin{enumerate}\item a\begin{enumerate}[label*=\arabic*.]\item b\end{enumerate}\end{enumerate}`,
		`<span class="label">1.1.</span> b`,
	},
	{
		`enumitem 3.4: start and resume`,
		`\begin{enumerate}[start=3]\item a\end{enumerate}b\begin{enumerate}[resume]\item c\end{enumerate}`,
		`<span class="label">4.</span> c`,
	},
	{
		`enumitem 6: \setlist`, `\setlist[enumerate]{label=\Alph*)}\begin{enumerate}\item a\end{enumerate}`,
		`<span class="label">A)</span> a`,
	},
	{
		`enumerate: a template`, `\begin{enumerate}[(i)]\item a\item\label{q} b\end{enumerate}\ref{q}`,
		`<span class="label">(ii)</span> b</p></li></ol><p>ii</p>`,
	},
	{
		`guide C.4.1: a section has a number if a reference needs it`,
		`\section{A}\label{s}\subsection{B}\label{t}\ref{s} \ref{t}`, "<h2>1 A</h2><h3>1.1 B</h3><p>1 1.1</p>",
	},
	{`guide C.4.1: a section to which nothing refers`, `\section[x]{A}`, "<h2>A</h2>"},
	{
		`guide C.9.1: \ref of a table is that of its caption`,
		`\begin{table}\caption{y}\label{t}\end{table}\ref{t}`, "Table 1: y</figcaption></figure><p>1</p>",
	},
	{
		`caption: \caption* has no number`,
		`\begin{table}\caption*{x}\end{table}\begin{table}\caption{y}\end{table}`,
		"<figcaption>x</figcaption></figure><figure><figcaption>Table 1: y",
	},
	{`subcaption: subfigures have letters`, `\begin{figure}\begin{subfigure}{.4\textwidth}\caption{x}\label{a}\end{subfigure}\caption{y}\label{f}\end{figure}\ref{a} \ref{f}`,
		"<figcaption>(a) x</figcaption></div><figcaption>Figure 1: y</figcaption></figure><p>1a 1</p>"},
	{
		`guide C.11.2: \label names what is around it after a list`,
		`\section{A}\begin{enumerate}\item b\end{enumerate}\label{s}\ref{s}`, "<p>1</p>",
	},
	{
		`amsmath 3.1: \eqref of rows with numbers`,
		`\begin{align}a&=b\\c&=d\notag\\e&=f\label{q}\end{align}\eqref{q} $\ref{q}$`,
		"<p>(2) <math><mtext>2</mtext></math></p>",
	},
	{
		`amsmath 3.1: \tag`, `\begin{equation}x\tag{*}\label{p}\end{equation}\ref{p}`,
		`<mtext class="tml-tag">(*)</mtext>`,
	},

	// Pictures.
	{`graphics 4.4: height`, `\includegraphics[height=3cm]{dot}`, "height:3cm"},
	{`graphics 4.4: scale`, `\includegraphics[scale=2]{dot}`, "width:2pt"},
	{`graphics 4.4: keepaspectratio`, `\includegraphics[width=3cm,height=1cm,keepaspectratio]{dot}`, "width:1cm\""},
	{`graphics 4.4: a length without a unit is in bp`, `\includegraphics[width=100]{dot}`, "width:100pt"},
	{`graphics 4.4: a height in \textwidth`, `\includegraphics[height=.5\textwidth]{dot.png}`, "width:50%"},
	{
		`graphics 4.4: angle`, `\includegraphics[angle=90]{wide}`,
		`width="2" height="4" preserveAspectRatio="none" viewBox="-1 -2 2 4"><g transform="rotate(-90)">`,
	},
	{
		`graphics 4.4: a width after an angle is that of the turned picture`,
		`\includegraphics[angle=90,width=3cm]{wide}`, "width:3cm",
	},
	{
		`graphics 4.4: a width before an angle is that of the picture`,
		`\includegraphics[width=4cm,angle=90]{wide}`, "width:2cm",
	},
	{
		`graphics 4.4: trim and clip`, `\includegraphics[trim=1 0 1bp 0,clip]{wide}`,
		`<svg x="-1" y="-1" width="2" height="2" preserveAspectRatio="none" viewBox="1 0 2 2">`,
	},
	{`graphics 4.4: the star form clips`, `\includegraphics*[viewport=1 0 3 2]{wide}`, `viewBox="1 0 2 2"`},
	{`graphics 4.3: an extension in capitals is found`, `\includegraphics{Photo}`, "<img src="},
	{`graphics 4.3: \graphicspath`, `\graphicspath{{img/}{fig/}}\includegraphics{deep}`, "<img src="},
	{
		`wrapfig: \textwidth is that of the page`,
		`\begin{wrapfigure}[5]{r}{.3\textwidth}\includegraphics[width=.28\textwidth]{dot}\end{wrapfigure}`,
		`style="width:30%"><p><img src="data:" alt="" style="width:93.3%"`,
	},
	{
		`wrapfig: \linewidth is that of the figure; a side`,
		`\begin{wrapfigure}{l}{5cm}\includegraphics[width=.5\linewidth]{dot}\end{wrapfigure}`,
		`class="illustration left" style="width:5cm"><p><img src="data:" alt="" style="width:50%"`,
	},
	{
		`guide C.13.3: \textwidth is that of a minipage`,
		`\begin{minipage}[t][2cm][c]{.5\textwidth}\includegraphics[width=.5\textwidth]{dot}\end{minipage}`,
		`style="width:50%"><p><img src="data:" alt="" style="width:50%"`,
	},
	{
		`guide C.13.3: a wrapfigure in a minipage`,
		`\begin{minipage}{.5\textwidth}\begin{wrapfigure}{r}{.5\textwidth}\includegraphics[width=.25\columnwidth]{dot}\end{wrapfigure}\end{minipage}`,
		"width:50%\"/>",
	},
	{
		`guide C.10.2: a width in a cell cannot be a share of it`,
		`\begin{tabular}{c}\includegraphics[width=.5\textwidth]{dot}\end{tabular}`, "width:8cm",
	},
	{
		`guide C.10.2: \linewidth is that of a p column`,
		`\begin{tabular}{p{3cm}}\includegraphics[width=\linewidth]{dot}\end{tabular}`,
		`style="width:3cm"><img src="data:" alt="" style="width:3cm"`,
	},

	// Tables.
	{
		`guide C.10.2: @{text} and array's >{} and <{}`, `\begin{tabular}{>{\bfseries}l<{!}@{:}r}a&b\end{tabular}`,
		`<b>a!:</b></td><td class="align-r">b`,
	},
	{
		`array: >{\centering} and m{width}`, `\begin{tabular}{>{\centering\arraybackslash}m{2cm}}a\end{tabular}`,
		`<td class="align-c middle" style="width:2cm">a`,
	},
	{
		`guide C.1.1: a declaration ends with its cell`, `\begin{tabular}{ll}\tt a--&b--\end{tabular}`,
		"<code>a--</code></td><td class=\"align-l\">b–",
	},
	{
		`booktabs: \cmidrule with trimming`, `\begin{tabular}{ll}a&b\\\cmidrule(lr){2-2}c&d\end{tabular}`,
		`c</td><td class="align-l rule-above">d`,
	},
	{
		`longtable: the head of the first page is shown once`,
		`\begin{longtable}{l}h\\\endfirsthead g\\\endhead a\\\end{longtable}`,
		`h</td></tr><tr><td class="align-l">a</td></tr></tbody>`,
	},

	// olymp.sty, of Polygon.
	{
		`olymp: headings`, "\\InputFile\na\n\\OutputFile\nb\n\\Note\nc",
		"<h2>Input</h2><p>a</p><h2>Output</h2><p>b</p><h2>Note</h2><p>c</p>",
	},
	{
		`olymp: a problem`, `\begin{problem}{Sum}{a.in}{stdout}{1 second}{256 megabytes}x\end{problem}`,
		"<p>Input: a.in<br/>Output: stdout<br/>Time limit: 1 second<br/>Memory limit: 256 megabytes</p><p>x</p>",
	},
	{
		`olymp: an example is the next sample`, "a\\Examples\\begin{example}\\exmp{1 2\n}{3\n}%\n\\end{example}b",
		"<p>a</p><section class=\"sample\">",
	},
}

var dataInPage = regexp.MustCompile(`data:image/(svg\+xml|png);base64,([A-Za-z0-9+/=]*)`)

// rulesPage renders LaTeX in a package with pictures in several folders. Pictures in the
// page are replaced by data:, and drawings by their SVG.
func rulesPage(t *testing.T, source string) (body string, page *Page, err error) {
	p := packageWith(t, map[string]string{
		"statement/problem.en.tex": source, "statement/part.tex": "a\n", "statement/Photo.PNG": pixel, "statement/fig/deep.png": pixel,
		"statement/wide.svg": `<svg xmlns="http://www.w3.org/2000/svg" width="4pt" height="2pt"/>`,
		"data/sample/1.in":   "1 2\n", "data/sample/1.ans": "3\n",
	})
	page, err = Render(p, File{"en", "statement/problem.en.tex"})
	body = dataInPage.ReplaceAllStringFunc(page.Body, func(url string) string {
		found := dataInPage.FindStringSubmatch(url)
		svg, decodeErr := base64.StdEncoding.DecodeString(found[2])
		if decodeErr != nil {
			t.Error(decodeErr)
		}
		if found[1] == "png" || !strings.Contains(string(svg), "<g ") {
			return "data:"
		}
		return string(svg)
	})
	return strings.ReplaceAll(body, "\n", ""), page, err
}

func TestRulesOfTeX(t *testing.T) {
	for _, tt := range texRules {
		body, page, err := rulesPage(t, tt.source)
		if err != nil || !strings.Contains(body, tt.want) || len(page.Warnings) > 0 {
			t.Errorf("%s: Render(%q): %v, %v\n got %s\nwant %s", tt.rule, tt.source, err, page.Warnings, body, tt.want)
		}
	}
}

// TestLosses checks that what a page cannot show is named with its place.
func TestLosses(t *testing.T) {
	for _, tt := range []struct {
		source, want string
		isError      bool
	}{
		{
			`a \ref{no}`,
			`1:3: \ref{no}: undefined reference: expected \label{no} after a caption, section, item or equation`,
			false,
		},
		{`\section{A}\label{a}\label{a}\ref{a}`, `1:21: \label{a} is defined again: \ref shows the last number`, false},
		{`\pageref{a}`, `1:1: \pageref: unknown command`, true},
		{`\begin{enumerate}[before=x]\item a\end{enumerate}`, `1:18: the option "before" of a list is ignored`, false},
		{`\setcounter{foo}{1}`, `1:12: \setcounter{foo}: there is no counter of that name`, true},
		{`\newcounter{a}\setcounter{a}{x}`, `1:29: \setcounter{x}: expected an integer`, true},
		{`\newcounter{a}\setcounter{a}{27}\alph{a}`, `1:33: \alph{a}: expected a number of at most 26, found 27`, true},
		{
			`\newcommand{\a}{b}` + "\n" + `\newcommand{\a}{c}`,
			`2:1: \newcommand{\a}: is defined already: expected \renewcommand`, true,
		},
		{`\def\p(#1){}\p[1]`, `1:13: \p: expected "(" after it, as in its definition`, true},
		{`\def\p#1.{}\p a`, `1:12: \p: expected "." after argument 1, as in its definition`, true},
		{
			`\iffalse a\fi`,
			"1:1: \\iffalse: unknown command\nstatement/problem.en.tex:1:11: \\fi: unknown command", true,
		},
		{`\includegraphics[page=2]{dot}`, `1:1: \includegraphics{dot}: the option "page=2" is ignored`, false},
		{`\includegraphics[width=\foo]{dot}`, `1:1: \includegraphics{dot}: the option "width=\\foo" is ignored`, false},
		{
			`\includegraphics[trim=0 0 1 0,clip]{dot}`,
			`1:1: \includegraphics{dot}: the option "trim=0 0 1 0" is ignored`, false,
		},
		{
			`\includegraphics{photo}`,
			`1:1: \includegraphics{photo}: no such file: expected .png, .jpg, .svg or .pdf`, true,
		},
		{
			`\begin{minipage}{\foo}a\end{minipage}`,
			`1:17: minipage: the width "\\foo" is not known: expected a length, such as 0.5\textwidth or 5cm`,
			false,
		},
		{`\begin{tabular}{lZ}a\end{tabular}`, `1:20: tabular: the column Z`, true},
		{`\begin{tabular}{l}a&b\end{tabular}`, `1:19: a row of 2 columns in a table of 1`, false},
		{
			"\\begin{tabular}{l}a\\\\\n[1,2]\\end{tabular}",
			`1:22: \\[1,2]: expected a length, such as 2mm; {[} begins a line with a bracket`, true,
		},
		{
			`\textcolor{red!50}{e}`,
			`1:1: \textcolor{red!50}: the colour is not shown: expected a name of xcolor, or the model HTML`, false,
		},
		{
			`\begin{lstlisting}[caption=x]` + "\na\n" + `\end{lstlisting}`,
			`1:19: lstlisting: the option "caption" is ignored`, false,
		},
		{`\begin{alltt}\b\end{alltt}`, `1:14: alltt: commands in it`, true},
		{`\footnote[3]{a}`, `1:1: \footnote[3]: a number of its own`, true},
		{`\exmp{1}{2}`, `1:1: \exmp: differs from data/sample/1`, true},
		{`\input{../../secret}`, `1:1: \input{../../secret}: expected a file in the folder of the statement`, true},
	} {
		_, page, err := rulesPage(t, tt.source)
		var got []string
		for _, w := range page.Warnings {
			got = append(got, w.Error())
		}
		if err != nil {
			got = append(got, err.Error())
		}
		if want := "statement/problem.en.tex:" + tt.want; strings.Join(got, "\n") != want || tt.isError != (err != nil) {
			t.Errorf("Render(%q): error: %v\n got %s\nwant %s", tt.source, err != nil, strings.Join(got, "\n"), want)
		}
	}
}

// TestLossesOfMarkdown checks that what Markdown leaves out is a warning (GFM, "Tables";
// CommonMark, "Link reference definitions").
func TestLossesOfMarkdown(t *testing.T) {
	for _, tt := range []struct{ source, want string }{
		{
			"| a |\n|---|\n| `x|y` |",
			`3:5: "y` + "`" + `" is left out: the row has more cells than the head of the table; a bar in a cell is written \|`,
		},
		{
			"a\n\n| a | b |\n|---|---|\n| 1 | 2 | 3 | |",
			`5:8: "3" is left out: the row has more cells than the head of the table; a bar in a cell is written \|`,
		},
		{
			"| a |\n|---|\n| $|s|$ |",
			`3:4: "s|$" is left out: the row has more cells than the head of the table; a bar in a cell is written \|`,
		},
		{"| a |\n|---|\n| `x\\|y` | |", ""},
		{"a [b][c]\nd", `1:3: "[b][c]": a reference without a definition`},
		{"a [b][c] a[i][j] `[q][r]` $[x][y]$\n\n[c]: https://x.org", ""},
		{"![b][c]", `1:1: "![b][c]": a reference without a definition`},
		{"a [^b]", `1:3: "[^b]": a reference without a definition`},
		{"a\n\n[^b]: c", `3:1: the footnote "[^b]" is left out: nothing refers to it`},
		{"a[^b]\n\n[^b]: c\n\n```\n[^d]: e\n```", ""},
		{"<b onclick=\"f()\">a</b>", `1:3: the attribute onclick of <b> is left out`},
		{
			"a\n<p style=\"color:red;position:fixed\">a</p>",
			`2:4: a part of the style "color:red;position:fixed" is left out`,
		},
		{
			"<u>a</u>\n\n<font>b</font>",
			`3:1: the element <font> is left out: a statement may contain only elements that show text, tables and pictures`,
		},
	} {
		page, err := renderText(t, "statement/problem.en.md", tt.source)
		if err != nil {
			t.Errorf("Render(%q): %v", tt.source, err)
			continue
		}
		got := ""
		for _, w := range page.Warnings {
			if d, ok := w.(*problem.Defect); ok {
				got += strings.TrimPrefix(d.Error(), "statement/problem.en.md:")
			}
		}
		if got != tt.want {
			t.Errorf("Render(%q):\n got %s\nwant %s", tt.source, got, tt.want)
		}
	}
}
