package html

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed" // for the files of the page
	"encoding/base64"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"sync"
)

var (
	//go:embed page.tmpl
	pageText string
	//go:embed style.css
	style string
	//go:embed page.js
	script string
	//go:embed vega.js
	vega string
	//go:embed pictures.json
	compiledPictures string
)

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(functions).Parse(pageText))
})

// An engine is the script that draws pictures: Vega and the compiled pictures.
type engine struct {
	packed template.HTML // gzip in base64: Vega is 40 times as long as a page without it
	digest string        // of the unpacked script
}

var packedEngine = sync.OnceValue(func() engine {
	text := vega + "globalThis.pictures=" + compiledPictures
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is valid, and a Buffer has no errors
	z.Write([]byte(text))
	z.Close()
	return engine{template.HTML(base64.StdEncoding.EncodeToString(b.Bytes())), digest(text)}
})

// Style returns the style sheet of reports. Pages that look like them add to it.
func Style() string { return style }

// Functions returns the functions of templates that clean the texts of packages and
// submissions: name, parted, clean, line and powers.
func Functions() template.FuncMap { return functions }

// digest returns the name of a text in a Content-Security-Policy.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// arm sets the style, the scripts and the policy of the page.
func (p *page) arm() {
	scripts := []string{digest(script)}
	if p.Pictures != nil && len(p.Pictures.Pictures) > 0 {
		e := packedEngine()
		p.Engine, scripts = e.packed, append(scripts, e.digest)
	}
	p.Policy = fmt.Sprintf("default-src 'none'; style-src %s; script-src %s; base-uri 'none'; form-action 'none'",
		digest(style), strings.Join(scripts, " "))
	if slices.ContainsFunc(p.Parts, func(part *part) bool { return part.Drawn != nil }) {
		p.Policy += "; img-src data:"
	}
	p.Style, p.Script = template.CSS(style), template.HTML("<script>"+script+"</script>")
}
