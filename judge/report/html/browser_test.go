package html

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"crucible/judge/internal/testkit"
	"crucible/judge/measure/bench"
	"crucible/judge/problem"
	"crucible/judge/record"
)

// TestHTMLInABrowser checks reports in a real browser. All checks use one browser,
// because its start takes longer than a check.
func TestHTMLInABrowser(t *testing.T) {
	testkit.InMatrix(t)
	if testing.Short() {
		t.Skip("a browser takes seconds")
	}
	b := startBrowser(t)
	t.Run("pages", b.quiet)
	t.Run("hostile names are text", b.hostile)
	t.Run("dark is dark", b.dark)
	t.Run("paper has all tables and pictures", b.paper)
	t.Run("nothing is lost without scripts", b.unscripted)
	t.Run("keys reach and read everything", b.keys)
	t.Run("pointing shows values", b.pointing)
	t.Run("changes show both medians", b.changes)
	t.Run("many programs look apart", b.many)
	t.Run("crashes look unlike medians", b.crashes)
	t.Run("axes have the quantity of the clock", b.clocks)
	t.Run("ratio axes have a label at 1", b.ratioAxes)
	t.Run("a narrow screen is enough", b.narrow)
	t.Run("two hundred submissions", b.large)
}

// pages returns documents of every kind.
func pages() map[string]*record.Document {
	return map[string]*record.Document{
		"judged":     verdicts(14, 24),
		"endings":    stored("document.json"),
		"comparison": comparison([]string{"accepted/dlx.go", "accepted/dlx.cpp", "accepted/backtrack.py"}, 6, 20, 1, 0.52, 1.01),
		"alone":      comparison([]string{"accepted/dlx.go"}, 1, 1, 1),
		"pair":       comparison([]string{"accepted/dlx.go", "accepted/dlx.cpp"}, 1, 20, 1, 1.002),
		"crowd":      comparison(strings.Fields("a b c d e f g h i j k l m n o p q r s t u v w x"), 3, 4, 1, 1.3, 0.7, 1.7, 0.9),
		"throng":     comparison(strings.Fields("a b c d e f g h i j k l m n o p q r s t u v w x y z"), 3, 4, 1, 1.3, 0.7),
		"changes":    changes(six, 9),
		"change":     changes(six[1:2], 4),
		"few":        changes(six[:2], 1),
		"scaling":    scaling(),
		"crash":      crashed(),
		"counts":     {Machine: htmlMachine, Problems: instructions().Problems[:1]},
		"limits":     limitBand(1.6),
		"nolimit":    limitBand(0.3),
		"one":        verdicts(1, 1),
		"nothing":    {},
	}
}

var six = []string{"accepted/masks.cpp", "accepted/dlx.cpp", "accepted/dancing_links.go", "accepted/few.cpp", "accepted/wrong_now.cpp", "accepted/same.rs"}

// drawAll also draws pictures that are not visible.
const drawAll = `dispatchEvent(new Event('beforeprint')); dispatchEvent(new Event('afterprint'));`

// A pageSection is a section of a page as the browser shows it.
type pageSection struct {
	Title    string
	Pictures int
	Empty    int   // pictures without an SVG element that has marks
	Marks    []int // of each picture: those that have values
	Numbers  int   // of its folded table that are not empty
	Words    int   // in the last column of its folded table
	Rows     int
}

const seeSections = `[...document.querySelectorAll('main section section')].map(s => {
	const pictures = [...s.querySelectorAll('.picture')];
	const table = s.querySelector('details.sheet:last-of-type table');
	const cells = table ? [...table.tBodies[0].rows].map(r => [...r.cells]) : [];
	return {
		Title: s.querySelector('h3').textContent,
		Pictures: pictures.length,
		Empty: pictures.filter(p => !p.querySelector('svg path')).length,
		Marks: pictures.map(p => Number(p.dataset.marks)),
		Numbers: cells.flat().filter(c => (table.className === 'numbers' ? c.localName === 'td' : c.classList.contains('n')) && c.textContent).length,
		Words: cells.map(r => r.at(-1).textContent.split(' ').filter(Boolean).length).reduce((a, b) => a + b, 0),
		Rows: cells.length,
	};
})`

// quiet checks that pages have pictures with marks, tables with as many numbers, and
// names for screen readers, and that the browser reports no problem.
func (b *browser) quiet(t *testing.T) {
	for name, d := range pages() {
		t.Run(name, func(t *testing.T) {
			p := b.open(t, name, d, 1280)
			p.eval(drawAll, nil)
			var sections []pageSection
			p.eval(seeSections, &sections)
			for _, s := range sections {
				if s.Empty > 0 {
					t.Errorf("%s: %d of %d pictures are empty", s.Title, s.Empty, s.Pictures)
				}
				marks := 0
				for _, n := range s.Marks {
					marks += n
				}
				s.compare(t, d, marks)
			}
			var unknown []string
			p.eval(`(() => {
				const style = getComputedStyle(document.documentElement);
				const used = [...document.querySelectorAll('.picture svg *')].flatMap(e => [e.getAttribute('fill'), e.getAttribute('stroke')]).filter(c => c && c.startsWith('var('));
				return [...new Set(used)].filter(c => !style.getPropertyValue(c.slice(4, -1)));
			})()`, &unknown)
			if len(unknown) > 0 {
				t.Errorf("the style has no colors %q", unknown)
			}
			if name != "nothing" && len(sections) == 0 {
				t.Error("no sections")
			}
			if got := p.complaints(); got != nil {
				t.Errorf("the browser complains:\n%s", strings.Join(got, "\n"))
			}
			p.heard(t)
			p.picture(name)
		})
	}
}

// compare compares the number of marks of a section with the numbers of its table.
func (s *pageSection) compare(t *testing.T, d *record.Document, marks int) {
	judged := len(d.Problems) > 0 && d.Problems[len(d.Problems)/2].Reports != nil
	want, of := 0, ""
	switch {
	case s.Title == "CPU time", s.Title == "Memory":
		want, of = s.Numbers, "numbers"
	case s.Title == "Cases solved within a time":
		want, of = s.Words, "times"
	case s.Title == "Every run":
		// The medians have values, too: one for each row of a comparison.
		want, of = s.Words, "times"
		if record.Of[*bench.Comparison](&d.Problems[0]) != nil {
			want += s.Rows
		}
	case s.Title == "Drift over the run order":
		want, of = len(record.Of[*bench.Measurement](&d.Problems[0]).Trials), "runs"
	case s.Title == "Memory by size":
		want, of = s.Rows, "rows"
	case s.Title == "NEW against OLD":
		want, of = drawnChanges(d.Against.(*bench.RunComparison)), "changes"
	case s.Title == "Submissions and cases":
		want, of = s.Numbers, "numbers"
	default:
		return
	}
	if marks != want || want == 0 {
		t.Errorf("%s: %d marks have values, its table has %d %s (judged: %v)", s.Title, marks, want, of, judged)
	}
}

// drawnChanges returns the number of changes that are drawn: submissions, and the cases
// of those with several cases, up to the maximum.
func drawnChanges(a *bench.RunComparison) int {
	whole, single := 0, 0
	for _, p := range a.Programs {
		n := len((&p).Changes())
		whole += min(n, 1)
		if p.Overall != nil {
			single += n - 1
		}
	}
	return whole + min(single, mostWorst+mostBest)
}

func (b *browser) hostile(t *testing.T) {
	p := b.open(t, "hostile", hostileDocument(), 1280)
	p.eval(drawAll, nil)
	var foreign []string
	p.eval(`[...document.querySelectorAll('*')].filter(e => e.namespaceURI === 'http://www.w3.org/1999/xhtml').filter(e => !(
		/^(html|head|meta|title|style|body|a|header|h[1-4]|p|nav|ul|ol|li|span|main|section|pre|aside|dl|dt|dd|div|table|caption|thead|tbody|tr|th|td|figure|figcaption|details|summary|footer|wbr)$/.test(e.localName) ||
		e.localName === 'sup' && !e.attributes.length && /^[\d.k n]+$/.test(e.innerHTML) ||
		e.localName === 'form' && e.className === 'vega-bindings' && !e.firstChild || e.localName === 'script' && (e.id === 'data' || e.id === 'engine' || e.parentElement === document.head || e === document.body.lastElementChild)
	)).map(e => e.outerHTML.slice(0, 100))`, &foreign)
	if len(foreign) > 0 {
		t.Errorf("unexpected elements: %q", foreign)
	}
	var scripts, handlers int
	p.eval(`document.scripts.length`, &scripts)
	p.eval(`[...document.querySelectorAll('*')].filter(e => [...e.attributes].some(a => /^on/i.test(a.name) || /^(href|src|action|formaction|data)$/.test(a.name) && !a.value.startsWith('#'))).length`, &handlers)
	if scripts != 4 || handlers != 0 { // data, engine, the page's own, and the engine unpacked
		t.Errorf("%d scripts and %d attributes that run, expected 4 and 0", scripts, handlers)
	}
	// The values of a cell under the pointer are text, too.
	var told []string
	p.eval(`[...document.querySelectorAll('.heat tbody tr')].map(row => { row.cells[3].tabIndex = 0; row.cells[3].focus(); return document.getElementById('tip').innerHTML })`, &told)
	if all := strings.Join(told, "\n"); len(told) != len(hostileNames) || strings.Contains(all, "<img") || strings.Contains(all, "<script") || strings.Count(all, "&lt;img") < len(told) {
		t.Errorf("cells show %s", all)
	}
	if got := p.complaints(); got != nil {
		t.Errorf("the browser complains:\n%s", strings.Join(got, "\n"))
	}
	p.picture("hostile")
}

func (b *browser) dark(t *testing.T) {
	p := b.open(t, "dark", comparison([]string{"accepted/dlx.go", "accepted/dlx.cpp"}, 3, 12, 1, 0.52), 1280)
	p.eval(drawAll, nil)
	look := func(kind, scheme string) (colors [3]string) {
		p.media(kind, scheme)
		p.eval(`[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector('.picture svg [fill^="var(--faster"], .picture svg path[fill^="var("]')).fill,
			getComputedStyle(document.querySelector('.picture svg text')).fill]`, &colors)
		return colors
	}
	light, dark, paper := look("screen", "light"), look("screen", "dark"), look("print", "dark")
	for i, what := range []string{"background", "marks", "labels"} {
		if light[i] == dark[i] {
			t.Errorf("%s are %s in light and in dark", what, light[i])
		}
		if light[i] != paper[i] {
			t.Errorf("%s are %s on paper, expected %s", what, paper[i], light[i])
		}
	}
	p.media("screen", "dark")
	p.picture("dark")
	p = b.open(t, "dark changes", changes(six, 9), 1280)
	p.media("screen", "dark")
	p.eval(drawAll, nil)
	p.picture("dark changes")
}

func (b *browser) paper(t *testing.T) {
	p := b.open(t, "paper", comparison([]string{"accepted/dlx.go", "accepted/dlx.cpp", "accepted/dlx.py"}, 6, 20, 1, 0.52, 3), 1280)
	var pdf struct {
		Data string `json:"data"`
	}
	p.do("Page.printToPDF", map[string]any{"printBackground": true}, &pdf)
	file := p.keep("paper.pdf", pdf.Data)
	if n := len(regexp.MustCompile(`/Type\s*/Page\b`).FindAll(file, -1)); !bytes.HasPrefix(file, []byte("%PDF-")) || n < 2 {
		t.Errorf("the printed file has %d pages and begins with %.8q", n, file)
	}
	// All pictures were drawn for it, although most were not visible.
	var empty, hidden int
	p.eval(`[...document.querySelectorAll('.picture')].filter(p => !p.querySelector('svg path')).length`, &empty)
	if empty > 0 {
		t.Errorf("%d pictures were not drawn to be printed", empty)
	}
	// The same holds if the page is printed as soon as it is loaded.
	var script struct {
		ID string `json:"identifier"`
	}
	p.do("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": `addEventListener('load', async () => {
		dispatchEvent(new Event('beforeprint'));
		for (let i = 0; i < 100; i++) await null; // what a listener leaves is done before the page is printed
		globalThis.undrawn = [...document.querySelectorAll('.picture')].filter(p => !p.querySelector('svg path')).length;
	})`}, &script)
	p.load()
	p.do("Page.removeScriptToEvaluateOnNewDocument", map[string]any{"identifier": script.ID}, nil)
	p.eval(`undrawn`, &empty)
	if empty > 0 {
		t.Errorf("%d pictures are not drawn in a page that is printed at once", empty)
	}
	// The style shows folded tables on paper, without a script.
	p.media("print", "light")
	p.eval(`[...document.querySelectorAll('table')].filter(t => !t.checkVisibility()).length`, &hidden)
	if hidden > 0 {
		t.Errorf("%d tables are not shown on paper", hidden)
	}
	// A page of A4 is 718 pixels wide without its margins: a wider picture has smaller
	// letters.
	var wide int
	p.eval(`dispatchEvent(new Event('beforeprint'))`, nil)
	p.eval(`[...document.querySelectorAll('.picture svg')].filter(s => s.viewBox.baseVal.width > 718).length`, &wide)
	if wide > 0 {
		t.Errorf("%d pictures are wider than paper", wide)
	}
	p.do("Emulation.setDeviceMetricsOverride", map[string]any{"width": 718, "height": 1000, "deviceScaleFactor": 1, "mobile": false}, nil)
	p.picture("paper")
	if got := p.complaints(); got != nil {
		t.Errorf("the browser complains:\n%s", strings.Join(got, "\n"))
	}
}

// A node is an element of a page.
type node struct {
	Name     string `json:"nodeName"`
	Children []node `json:"children"`
}

// count returns the number of elements of a kind.
func (n *node) count(name string) (found int) {
	if n.Name == name {
		found++
	}
	for i := range n.Children {
		found += n.Children[i].count(name)
	}
	return found
}

func (b *browser) unscripted(t *testing.T) {
	d := comparison([]string{"accepted/dlx.go", "accepted/dlx.cpp"}, 3, 12, 1, 0.52)
	with := b.open(t, "with", d, 1280)
	var tables, cells, tablesWithout, cellsWithout int
	with.eval(`document.querySelectorAll('table').length`, &tables)
	with.eval(`document.querySelectorAll('td').length`, &cells)
	p := with
	p.do("Emulation.setScriptExecutionDisabled", map[string]any{"value": true}, nil)
	p.load()
	// One request for all nodes: the numbers of nodes change whenever anybody asks for the
	// document, as chromedp does.
	var document struct{ Root node }
	p.do("DOM.getDocument", map[string]any{"depth": -1}, &document)
	tablesWithout, cellsWithout = document.Root.count("TABLE"), document.Root.count("TD")
	if tables == 0 || tables != tablesWithout || cells != cellsWithout {
		t.Errorf("%d tables with %d cells, without scripts %d with %d", tables, cells, tablesWithout, cellsWithout)
	}
	p.picture("unscripted")
}

func (b *browser) keys(t *testing.T) {
	for name, d := range map[string]*record.Document{
		"judged": verdicts(5, 8), "comparison": comparison([]string{"accepted/dlx.go", "accepted/dlx.cpp"}, 3, 12, 1, 0.52), "changes": changes(six, 9),
	} {
		p := b.open(t, name, d, 1280)
		var want []string
		p.eval(`(() => { let n = 0; for (const e of document.querySelectorAll('a[href], summary, .picture, .heat tbody tr:first-child td:nth-child(2)')) e.dataset.stop = ++n; return [...document.querySelectorAll('[data-stop]')].map(e => e.dataset.stop) })()`, &want)
		var got []string
		for range want {
			p.key("Tab")
			var at string
			p.eval(`document.activeElement.dataset.stop ?? document.activeElement.outerHTML.slice(0, 80)`, &at)
			got = append(got, at)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: Tab goes to %q, expected %q", name, got, want)
		}
		// Each arrow key shows another mark of a picture.
		var told [2]string
		p.eval(`document.querySelector('.picture').focus()`, nil)
		for i := range told {
			p.key("ArrowRight")
			p.eval(`document.getElementById('tip').hidden ? '' : document.getElementById('tip').innerText`, &told[i])
		}
		if !strings.Contains(told[0], "accepted/") && !strings.Contains(told[0], "cases") || told[0] == told[1] {
			t.Errorf("%s: arrows on a picture show %q, then %q", name, told[0], told[1])
		}
		p.key("Escape")
		var hidden bool
		if p.eval(`document.getElementById('tip').hidden`, &hidden); !hidden {
			t.Errorf("%s: Escape does not hide the values", name)
		}
	}
	// Arrow keys also move between the cells of the matrix.
	p := b.open(t, "matrix", verdicts(5, 8), 1280)
	p.eval(`document.querySelector('.heat tbody td').focus()`, nil)
	p.key("ArrowRight")
	p.key("ArrowDown")
	var told string
	p.eval(`document.getElementById('tip').innerText`, &told)
	for _, part := range []string{"program_002", "sample/02", "AC", "CPU time", " ms"} {
		if !strings.Contains(told, part) {
			t.Errorf("the second cell of the second row shows %q, expected %q in it", told, part)
		}
	}
}

func (b *browser) pointing(t *testing.T) {
	d := comparison([]string{"accepted/dlx.go", "accepted/dlx.cpp"}, 1, 3, 1, 0.52)
	p := b.open(t, "pointing", d, 1280)
	// The first mark of a run, and the run.
	var at struct{ X, Y float64 }
	p.eval(`(() => {
		const mark = document.querySelectorAll('.picture')[1].querySelector('.mark-symbol path');
		mark.scrollIntoView({ block: 'center' });
		const box = mark.getBoundingClientRect();
		return { X: box.x + box.width / 2, Y: box.y + box.height / 2 };
	})()`, &at)
	p.do("Input.dispatchMouseEvent", map[string]any{"type": "mouseMoved", "x": at.X, "y": at.Y}, nil)
	var told string
	p.eval(`new Promise(done => requestAnimationFrame(() => done(document.getElementById('tip').hidden ? '' : document.getElementById('tip').innerText)))`, &told)
	m := record.Of[*bench.Comparison](&d.Problems[0]).Measurement
	found := false
	for _, trial := range m.Trials {
		found = found || strings.Contains(told, fmt.Sprintf("%.3g ms", trial.Outcome.CPU.Seconds()*1e3)) && strings.Contains(told, m.Submissions[trial.Submission].Name)
	}
	if !found {
		t.Errorf("the mark shows %q, which is no run", told)
	}
	p.picture("pointing")
	p.do("Input.dispatchMouseEvent", map[string]any{"type": "mouseMoved", "x": 2, "y": 2}, nil)
	p.eval(`new Promise(done => requestAnimationFrame(() => done(document.getElementById('tip').hidden ? '' : 'shown')))`, &told)
	if told != "" {
		t.Error("the values of the mark stay after the pointer has left")
	}
}

// changes checks that pictures and the map describe changes in the same words.
func (b *browser) changes(t *testing.T) {
	d := changes(six, 9)
	p := b.open(t, "changes", d, 1280)
	p.eval(drawAll, nil)
	worst := d.Against.(*bench.RunComparison).Programs[1]
	for picture, want := range map[int][]string{
		0: {worst.Name, "regression, 1.12x", "OLD median 38.", "NEW median 4", "runs 30", "interval 1.11"},
		1: {"dlx.cpp · 05_case", "submission " + worst.Name, "case secret/05_case", "regression, 1.28x", "OLD median 38.4 ms", "NEW median 48.9 ms"},
		2: {worst.Name, "case secret/01_case", "held", "NEW over OLD", "OLD median 10"},
	} {
		var told string
		p.eval(fmt.Sprintf(`document.querySelectorAll('.picture')[%d].focus()`, picture), nil)
		p.key("ArrowRight")
		p.eval(`document.getElementById('tip').innerText`, &told)
		for _, part := range want {
			if !strings.Contains(told, part) {
				t.Errorf("picture %d shows %q for its first mark, expected %q in it", picture, told, part)
			}
		}
	}
}

// many checks that many programs have different lines and legends, and that a note
// explains that too many look alike.
func (b *browser) many(t *testing.T) {
	var names []string
	for i := range mostPrograms + 1 {
		names = append(names, fmt.Sprintf("accepted/%02d.cpp", i))
	}
	for _, n := range []int{mostPrograms, mostPrograms + 1} {
		p := b.open(t, "many", comparison(names[:n], 3, 2, 1), 1280)
		p.eval(drawAll, nil)
		var lines, keys int
		var alikeNote bool
		const section = `[...document.querySelectorAll('main section section')].find(s => s.querySelector('h3').textContent === 'Cases solved within a time')`
		p.eval(`new Set([...`+section+`.querySelectorAll('.mark-line path')].map(e => e.getAttribute('stroke') + e.getAttribute('stroke-dasharray'))).size`, &lines)
		p.eval(`new Set([...`+section+`.querySelectorAll('.key svg')].map(e => e.querySelector('path').getAttribute('stroke-dasharray') + e.lastElementChild.getAttribute('d'))).size`, &keys)
		p.eval(section+`.querySelector('.caption').textContent.includes('drawn alike')`, &alikeNote)
		apart, alike := [3]any{n, n, false}, [3]any{1, 0, true}
		if got := [3]any{lines, keys, alikeNote}; n <= mostPrograms && got != apart || n > mostPrograms && got != alike {
			t.Errorf("%d programs: %d kinds of lines and %d of keys, a note that they look alike: %v", n, lines, keys, alikeNote)
		}
	}
}

// heard compares the accessible names with the page as it is shown.
func (p *tab) heard(t *testing.T) {
	var pictures, tables int
	p.eval(`document.querySelectorAll('.picture').length`, &pictures)
	p.eval(`[...document.querySelectorAll('table')].filter(t => t.checkVisibility()).length`, &tables)
	var tree struct {
		Nodes []struct {
			Ignored bool
			Role    struct{ Value string }
			Name    struct{ Value string }
		} `json:"nodes"`
	}
	p.do("Accessibility.enable", nil, nil)
	p.do("Accessibility.getFullAXTree", nil, &tree)
	p.do("Accessibility.disable", nil, nil) // it makes all that comes after it slower
	roles := map[string]int{}
	for _, n := range tree.Nodes {
		role := strings.ToLower(n.Role.Value)
		if n.Ignored {
			continue
		}
		if role == "img" {
			role = "image"
		}
		roles[role]++
		if (role == "image" || role == "table" || role == "region") && len(n.Name.Value) < 4 {
			t.Errorf("a %s is called %q", role, n.Name.Value)
		}
	}
	if roles["image"] != pictures || roles["table"] != tables || roles["main"] != 1 || roles["heading"] == 0 {
		t.Errorf("a reader hears of %d pictures, %d tables, %d mains and %d headings, expected %d, %d, 1 and some",
			roles["image"], roles["table"], roles["main"], roles["heading"], pictures, tables)
	}
}

// crashed returns a scaling in which the first program crashes at its two largest sizes.
func crashed() *record.Document {
	d := scaling()
	points := record.Of[*bench.Scaling](&d.Problems[0]).Curves[0].Points
	for i := len(points) - 2; i < len(points); i++ {
		points[i].Verdict = problem.RuntimeError
	}
	return d
}

// crashes checks that crashes are drawn as crosses, and that the legend names them if
// there are any.
func (b *browser) crashes(t *testing.T) {
	for _, tt := range []struct {
		d    *record.Document
		want int
	}{{scaling(), 0}, {crashed(), 2}} {
		p := b.open(t, "crashes", tt.d, 390)
		p.eval(drawAll, nil)
		for _, title := range []string{"Time by size", "Memory by size"} {
			section := `[...document.querySelectorAll('main section section')].find(s => s.querySelector('h3').textContent === '` + title + `')`
			var crosses, keys int
			p.eval(section+`.querySelectorAll('.mark-symbol path[fill="transparent"][stroke-width="2"]').length`, &crosses)
			p.eval(`[...`+section+`.querySelectorAll('.key li')].filter(e => e.textContent.includes('crashed')).length`, &keys)
			if crosses != tt.want || keys != min(tt.want, 1) {
				t.Errorf("%s of a scaling with %d crashes: %d crosses and %d entries of the legend", title, tt.want, crosses, keys)
			}
		}
		p.picture(fmt.Sprintf("crashes %d", tt.want))
	}
}

// ratioAxes checks that the axis of ratios has a label at 1 at every width.
func (b *browser) ratioAxes(t *testing.T) {
	for i, d := range []*record.Document{
		comparison([]string{"accepted/dlx.go", "accepted/dlx.cpp"}, 6, 20, 1, 0.97),
		comparison([]string{"accepted/dlx.go", "accepted/dlx.cpp"}, 6, 20, 1, 1.002),
		comparison([]string{"accepted/dlx.go", "accepted/dlx.cpp"}, 6, 20, 1, 1.2),
		comparison([]string{"accepted/dlx.go", "accepted/dlx.cpp", "accepted/slow.py"}, 6, 20, 1, 0.6, 40),
		changes(six, 9),
	} {
		for _, width := range []int{390, 1280} {
			p := b.open(t, "ratios", d, width)
			p.eval(drawAll, nil)
			var axes, ones int
			const lists = `[...document.querySelectorAll('.picture svg')].map(s => [...s.querySelectorAll('.role-axis')].map(a => [
				[...a.querySelectorAll('.role-axis-title text')].map(e => e.textContent).join(),
				[...a.querySelectorAll('.role-axis-label text')].filter(e => getComputedStyle(e).opacity !== '0' && e.getAttribute('opacity') !== '0').map(e => e.textContent)])).flat()
				.filter(([title]) => title === 'NEW over OLD' || title.startsWith('× the reference'))`
			p.eval(lists+`.length`, &axes)
			p.eval(lists+`.filter(([, labels]) => labels.includes('1') && labels.filter(Boolean).length > 1).length`, &ones)
			if axes == 0 || ones != axes {
				var got string
				p.eval(`JSON.stringify(`+lists+`)`, &got)
				t.Errorf("document %d, %d wide: %d of %d axes of ratios have labels at 1 and elsewhere: %s", i, width, ones, axes, got)
			}
			p.picture(fmt.Sprintf("ratios %d %d", i, width))
		}
	}
}

func (b *browser) narrow(t *testing.T) {
	narrowHostile := hostileDocument()
	narrowHostile.Problems = narrowHostile.Problems[1:3]
	for name, d := range map[string]*record.Document{"judged": verdicts(14, 24), "hostile": narrowHostile, "changes": changes(six, 9)} {
		p := b.open(t, name, d, 390)
		p.eval(drawAll, nil)
		var width, clipped int
		p.eval(`document.documentElement.scrollWidth`, &width)
		p.eval(`[...document.querySelectorAll('.picture svg')].filter(s => s.getBoundingClientRect().right > innerWidth).length`, &clipped)
		if width > 390 || clipped > 0 {
			t.Errorf("%s is %d wide, and %d pictures do not fit", name, width, clipped)
		}
		if name == "judged" {
			// Names show their starts, and marks are above the lines of limits.
			var starts, covered int
			p.eval(`[...document.querySelectorAll('.picture svg text')].filter(t => /^(acce|wron|time|run_)\S*….*\.\w+$/.test(t.textContent)).length`, &starts)
			p.eval(`[...document.querySelectorAll('.picture svg')].filter(svg => {
				const paths = [...svg.querySelectorAll('line[stroke-dasharray="5,3"], path[aria-roledescription=point], .mark-symbol path')];
				const line = paths.findLastIndex(p => p.tagName === 'line'), mark = paths.findIndex(p => p.tagName === 'path');
				return line >= 0 && mark >= 0 && line > mark;
			}).length`, &covered)
			if starts == 0 || covered > 0 {
				t.Errorf("%d names have their start, and the lines of limits cover marks in %d pictures", starts, covered)
			}
		}
		p.picture("narrow " + name)
	}
}

func (b *browser) large(t *testing.T) {
	load := func(d *record.Document) float64 {
		p := b.open(t, "large", d, 1280)
		if got := p.complaints(); got != nil {
			t.Errorf("the browser complains:\n%s", strings.Join(got, "\n"))
		}
		return p.busy()
	}
	t.Logf("200 submissions on 60 cases take %.1f times the processor time of nothing", load(verdicts(200, 60))/load(&record.Document{}))
}
