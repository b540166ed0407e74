package html

import (
	"html/template"
	"io"
	"strconv"
	"strings"

	"crucible/judge/measure/bench"
	"crucible/judge/record"
	"crucible/judge/report"
	"crucible/judge/report/sheet"
	"crucible/judge/strength/adequacy"
	"crucible/judge/strength/stress"
)

// A report is one file that needs no network: texts and tables in HTML, and
// pictures that Vega draws if the browser runs JavaScript.
//
// No text of a package or a submission can become markup or code. Texts are cleaned,
// and html/template escapes them. Numbers and names for pictures are JSON in an
// element that is not run; the script of the page makes text nodes and marks of
// them, never markup. The policy of the page names the hashes of its style and its
// scripts and forbids everything else: other scripts, eval, images, connections.

// Write writes the document as one HTML file.
func Write(w io.Writer, d *record.Document) error {
	page := &page{Title: "Judge report", Lead: sheet.Writer.Summary(d) + ".", Machine: machineFacts(d.Machine)}
	for i := range d.Problems {
		page.Parts = append(page.Parts, partOf(&d.Problems[i], i))
	}
	if a, ok := d.Against.(*bench.RunComparison); ok {
		page.Parts = append(page.Parts, againstPart(a))
	}
	if len(page.Parts) == 1 {
		page.Title = strings.TrimSpace(page.Parts[0].Name + " · " + page.Parts[0].Kind)
	}
	page.Pictures = page.pictures()
	page.arm()
	return pageTemplate().Execute(w, page)
}

// A page is the data of page.tmpl.
type page struct {
	Title    string
	Policy   string
	Style    template.CSS
	Lead     string // one sentence
	Parts    []*part
	Machine  []record.Fact
	Pictures *pictureData  // nil if there is nothing to draw
	Engine   template.HTML // Vega, compressed; "" without pictures
	Script   template.HTML // the complete element, because its text must have the hash in Policy
}

// pictureData is what the script of the page reads.
type pictureData struct {
	Pictures []*picture           `json:"pictures"`
	Heats    []*heatMap           `json:"heats"`
	Looks    map[string]markStyle `json:"looks"`
}

// pictures numbers the pictures of the page and returns what the script draws; nil
// if there is nothing to draw.
func (p *page) pictures() *pictureData {
	data := &pictureData{Pictures: []*picture{}, Heats: []*heatMap{}, Looks: markStyles}
	for _, part := range p.Parts {
		if part.Heat != nil {
			data.Heats = append(data.Heats, part.Heat)
		}
		for i := range part.Sections {
			data.Pictures = append(data.Pictures, part.Sections[i].Pictures...)
		}
	}
	if len(data.Pictures)+len(data.Heats) == 0 {
		return nil
	}
	for i, one := range data.Pictures {
		one.ID = "picture-" + strconv.Itoa(i+1)
	}
	return data
}

// partOf returns the part of one problem.
func partOf(p *record.Problem, number int) *part {
	part := &part{ID: "problem-" + strconv.Itoa(number+1), Kind: "Verdicts", Name: nameShown(p.ID),
		Bounds: report.LimitsText(p.Limits)}
	switch {
	case p.Err != nil:
		part.Error = report.ErrorLines(p.Err)
	case record.Of[*bench.Comparison](p) != nil:
		part.compare(p)
	case record.Of[*bench.Scaling](p) != nil:
		part.scale(p)
	case record.Of[*bench.Band](p) != nil:
		part.band(p)
	case record.Of[*stress.Summary](p) != nil:
		part.stress(p)
	case record.Of[*adequacy.Result](p) != nil:
		part.adequacy(p)
	default:
		part.judged(p)
	}
	part.finish()
	return part
}

func machineFacts(m record.Machine) []record.Fact {
	cores, pinned, addresses := "", "", ""
	if m.Cores > 0 {
		cores = strconv.Itoa(m.Cores)
	}
	if m.Protection != "" {
		pinned = map[bool]string{true: "yes", false: "no"}[m.Pinned]
		addresses = map[bool]string{true: "the same on every run", false: "as the system chooses"}[m.FixedAddresses]
	}
	return sheet.Facts("processor", m.CPU, "cores", cores, "system",
		strings.TrimSpace(strings.Trim(m.OS+"/"+m.Arch, "/")+" "+m.Kernel), "judge built by", m.Go,
		"protection", m.Protection, "not enforced", strings.Join(m.NotEnforced, ", "), "pinned to cores", pinned, "addresses",
		addresses, "instructions counted by", m.Counter)
}
