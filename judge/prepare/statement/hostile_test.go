package statement

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/html"
)

// attacks are pieces of Markdown and HTML. Each runs a script that changes the title, or
// requests a page from the server %[1]s, if it goes through.
var attacks = []string{
	`<script>document.title='pwned'</script>`,
	`<img src=x onerror="document.title='pwned'">`,
	`<img src="dot.png" onload="document.title='pwned'">`,
	`<a href="javascript:document.title='pwned'" autofocus onfocus="document.title='pwned'">a</a>`,
	"[a](javascript:document.title='pwned') [b](data:text/html,x) [c](vbscript:x)",
	`<svg onload="document.title='pwned'"><script>document.title='pwned'</script></svg>`,
	`<svg><style><img src=x onerror="document.title='pwned'"></style></svg>`,
	`<math><mtext><table><mglyph><style><!--</style><img title="--><img src=x onerror=document.title='pwned'>">`,
	`<math href="javascript:document.title='pwned'"><mi xlink:href="javascript:document.title='pwned'">a</mi></math>`,
	`<math><annotation-xml encoding="text/html"><img src=x onerror="document.title='pwned'"></annotation-xml></math>`,
	`<noscript><p title="</noscript><img src=x onerror=document.title='pwned'>"></noscript>`,
	`<iframe srcdoc="<script>parent.document.title='pwned'</script>" src="http://%[1]s/iframe"></iframe>`,
	`<object data="http://%[1]s/object"></object><embed src="http://%[1]s/embed">`,
	`<meta http-equiv="refresh" content="0; url=http://%[1]s/refresh">`,
	`<base href="http://%[1]s/base/"><link rel="stylesheet" href="http://%[1]s/css">`,
	`<style>body { background: url(http://%[1]s/style) } @import "http://%[1]s/import";</style>`,
	`<p style="background: url(http://%[1]s/attribute); width: expression(1); position: fixed; top: 0">a</p>`,
	`<form action="http://%[1]s/form"><button autofocus onfocus="document.title='pwned'">b</button></form>`,
	`<video src="http://%[1]s/video" autoplay onerror="document.title='pwned'"></video><audio src="http://%[1]s/audio"></audio>`,
	`<img src="http://%[1]s/img"><img srcset="http://%[1]s/srcset"><input type=image src="http://%[1]s/input">`,
	`<body onload="document.title='pwned'" background="http://%[1]s/background">`,
	`<details open ontoggle="document.title='pwned'"><summary>a</summary></details>`,
	`<p id="x" onclick="document.title='pwned'" style="animation: a">a</p></main></body></html><script>document.title='pwned'</script>`,
	`<textarea><script>document.title='pwned'</script></textarea><template><script>document.title='pwned'</script></template>`,
	`<![CDATA[<script>document.title='pwned'</script>]]><!--><script>document.title='pwned'</script>-->`,
	"$\\href{javascript:document.title='pwned'}{x}$ $\\text{<script>document.title='pwned'</script>}$ $\\style{background:url(http://%[1]s/tex)}{x}$",
	`![](evil.svg)`,
}

// evilSVG runs a script and requests a page if it is not shown as a picture.
const evilSVG = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="top.document.title='pwned'"><script>top.document.title='pwned'</script><image href="http://%[1]s/svg" width="9" height="9"/></svg>`

// hostilePage renders all attacks together.
func hostilePage(t *testing.T, server string) *Page {
	t.Helper()
	text := strings.ReplaceAll(strings.Join(attacks, "\n\n"), "%[1]s", server)
	p := packageWith(t, map[string]string{
		"statement/problem.en.md": text, "statement/evil.svg": strings.ReplaceAll(evilSVG, "%[1]s", server),
		"data/sample/1.in": "<script>document.title='pwned'</script>\x1b[31m\x00", "data/sample/1.ans": `<img src=x onerror="document.title='pwned'">`,
	})
	p.Names["en"] = `</title><script>document.title='pwned'</script>`
	p.Credits.Authors = []string{`"><script>document.title='pwned'</script>`}
	p.Credits.Sources[0].URL = "javascript:document.title='pwned'"
	page, _ := Render(p, File{"en", "statement/problem.en.md"}) // a picture from elsewhere and a formula are errors
	if page == nil {
		t.Fatal("no page")
	}
	page.Name = "safe"
	return page
}

// TestHostileElements checks that a page has allowed elements, attributes and URLs only.
func TestHostileElements(t *testing.T) {
	page := hostilePage(t, "127.0.0.1:1")
	for name, text := range map[string]string{"body": page.Body, "heading": page.Heading} {
		tree, err := html.Parse(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		for n := range tree.Descendants() {
			if n.Type != html.ElementNode || n.Data == "html" || n.Data == "head" || n.Data == "body" {
				if n.Type == html.CommentNode {
					t.Errorf("%s: a comment %q", name, n.Data)
				}
				continue
			}
			if !allowedElements[n.Data] {
				t.Errorf("%s: the element <%s>", name, n.Data)
			}
			for _, a := range n.Attr {
				url := a.Key == "src" && !strings.HasPrefix(a.Val, "data:image/") || a.Key == "href" && !strings.HasPrefix(a.Val, "http")
				if strings.HasPrefix(a.Key, "on") || a.Key != "rel" && !allowedAttributes[a.Key] || url || a.Key == "style" && strings.ContainsAny(a.Val, "(\\@") {
					t.Errorf("%s: <%s %s=%q>", name, n.Data, a.Key, a.Val)
				}
			}
		}
	}
	if len(page.Warnings) == 0 {
		t.Error("no warning of the elements that are left out")
	}
}

// TestHostileInABrowser opens the attacks in Chromium: without any defence, where they
// must succeed, and with each of the two defences alone.
func TestHostileInABrowser(t *testing.T) {
	browser := testBrowser(t)
	for _, tt := range []struct {
		name             string
		sanitize, policy bool
		want             bool // the attacks succeed
	}{
		{"no defence", false, false, true},
		{"the sanitizer alone", true, false, false},
		{"the policy alone", false, true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var requests atomic.Int64
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer listener.Close()
			go func() {
				for {
					c, err := listener.Accept()
					if err != nil {
						return
					}
					requests.Add(1)
					c.Close()
				}
			}()
			server := listener.Addr().String()
			page := hostilePage(t, server)
			if !tt.sanitize {
				page.Body = strings.ReplaceAll(strings.Join(attacks, "\n"), "%[1]s", server)
				if tt.policy { // a link in a meta element leaves the page: the sanitizer's task
					page.Body = strings.ReplaceAll(page.Body, `http-equiv="refresh"`, "")
				}
			}
			text, err := page.HTML()
			if err != nil {
				t.Fatal(err)
			}
			if !tt.policy {
				text = []byte(strings.Replace(string(text), "Content-Security-Policy", "nothing", 1))
			}
			dir := t.TempDir()
			name := filepath.Join(dir, "page.html")
			if err := os.WriteFile(name, text, 0o600); err != nil {
				t.Fatal(err)
			}
			dom := domOf(t, browser, name)
			got := strings.Contains(dom, "<title>pwned") || requests.Load() > 0
			if got != tt.want {
				t.Errorf("the attacks succeeded: %v (%d requests); expected %v\n%.3000s", got, requests.Load(), tt.want, dom)
			}
		})
	}
}

// testBrowser returns the path of Chromium. It skips the test if it is not installed, or
// fails it in CI.
func testBrowser(t *testing.T) string {
	t.Helper()
	browser := Browser()
	if browser == "" && os.Getenv("CRUCIBLE_REQUIRE_BROWSER") != "" {
		t.Fatal("no Chromium on the PATH, and CRUCIBLE_REQUIRE_BROWSER is set")
	} else if browser == "" {
		t.Skip("no Chromium on the PATH")
	}
	return browser
}

// domOf returns the document that Chromium has after it loaded a file.
func domOf(t *testing.T, browser, name string) string {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	profile, err := os.MkdirTemp("", "crucible-browser-")
	if err != nil {
		t.Fatal(err)
	}
	defer removeAll(profile)
	out, err := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--disable-background-networking", "--user-data-dir="+profile, "--virtual-time-budget=2000", "--dump-dom", "file://"+name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestHostileLaTeX checks that LaTeX that is deep, long or cut off ends with an error or
// a page, and soon.
func TestHostileLaTeX(t *testing.T) {
	for name, text := range map[string]string{
		"deep groups":        strings.Repeat("{", 100000),
		"deep lists":         strings.Repeat(`\begin{itemize}\item `, 10000),
		"deep formulas":      "$" + strings.Repeat("{", 4000) + "x" + strings.Repeat("}", 4000) + "$",
		"macros that grow":   `\def\a{\b\b\b\b\b\b\b\b}\def\b{\c\c\c\c\c\c\c\c}\def\c{\d\d\d\d\d\d\d\d}\def\d{\e\e\e\e\e\e\e\e}\def\e{xxxxxxxxxxxxxxx}\a\a\a\a\a\a\a\a`,
		"formulas that grow": `$\def\a{\b\b\b\b\b\b\b\b}\def\b{\c\c\c\c\c\c\c\c}\def\c{\d\d\d\d\d\d\d\d}\def\d{\e\e\e\e\e\e\e\e}\def\e{\a\a}\a$`,
		"wide table":         `\begin{tabular}{*{1000000}{*{1000000}{l}}}` + strings.Repeat("&", 5000) + `\end{tabular}`,
		"huge span":          `\begin{tabular}{l}\multicolumn{1000}{l}{\multirow{1000}{*}{a}}\\b\end{tabular}`,
		"cut off":            `\begin{itemize}\item[`,
		"only a backslash":   `\`,
		"cut off in a name":  `\begin{ite`,
		"many errors":        strings.Repeat(`\foo `, 10000),
		"open brackets":      strings.Repeat(`a\\[`, 100000),
		"open formulas":      strings.Repeat(`\(`, 100000),
		"many definitions":   strings.Repeat(`\newcommand{\a}{b}\renewcommand{\a}{b}\setlist{nosep}`, 10000),
		"delimited":          `\def\a#1.{}` + strings.Repeat(`\a`, 100000),
		"counters in a ring": `\newcounter{a}[b]\newcounter{b}[a]` + strings.Repeat(`\stepcounter{a}\stepcounter{b}`, 1000),
		"its own end":        `\newenvironment{a}{}{\end{a}}\begin{a}\end{a}`,
		"its own beginning":  `\newenvironment{a}{\begin{a}}{}\begin{a}\end{a}$\begin{a}x\end{a}$`,
		"one argument often": `\newcommand{\a}[1]{` + strings.Repeat("#1", 200000) + `}\a{` + strings.Repeat("x", 400000) + "}",
		"many options":       `\setlist{` + strings.Repeat("nosep,", 60000) + "}" + strings.Repeat(`\begin{enumerate}\item\end{enumerate}`, 10000),
		"its own file":       `\input{problem.en}`,
		"many pictures":      strings.Repeat(`\includegraphics[angle=1e3,trim=0 0 0 0]{dot}`, 5000),
		"strange lengths":    `\includegraphics[width=1e9cm,height=0cm,angle=90,scale=0]{dot}\begin{minipage}{0cm}\includegraphics[width=\textwidth]{dot}\end{minipage}`,
	} {
		start := time.Now()
		page, err := renderText(t, "statement/problem.en.tex", text)
		if page == nil || strings.Count(fmt.Sprint(err), "\n") > maxErrors {
			t.Errorf("%s: Render = %v, %.300v", name, page, err)
		}
		t.Logf("%s: %v", name, time.Since(start))
	}
}

func FuzzRender(f *testing.F) {
	for _, attack := range attacks {
		f.Add(attack, false)
	}
	f.Add(`\section*{A} \textbf{a $x^2$} \begin{tabular}{l|r}a&b\\\hline\end{tabular}\begin{itemize}\item a\end{itemize}`, true)
	for _, rule := range texRules {
		f.Add(rule.source, true)
	}
	f.Fuzz(func(t *testing.T, text string, tex bool) {
		name := "statement/problem.en.md"
		if tex {
			name = "statement/problem.en.tex"
		}
		p := packageWith(t, map[string]string{name: text})
		page, err := Render(p, File{"en", name})
		if page == nil {
			t.Skip(err)
		}
		tree, err := html.Parse(strings.NewReader(page.Body))
		if err != nil {
			t.Fatal(err)
		}
		for n := range tree.Descendants() {
			if n.Type == html.ElementNode && n.Parent.Type != html.DocumentNode && n.Data != "head" && n.Data != "body" && !allowedElements[n.Data] {
				t.Errorf("Render(%q) has the element <%s>: %s", text, n.Data, page.Body)
			}
		}
	})
}
