package page

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"crucible/judge/prepare/statement"
	"crucible/judge/report/html"
)

//go:embed assets templates
var files embed.FS

// An asset is a file that pages load. Its address has a hash, so browsers may keep it.
type asset struct {
	kind   string
	data   []byte
	packed []byte // by gzip
}

// assets are the files by the names in their addresses, and the addresses by their names.
var assets = sync.OnceValues(func() (byName map[string]*asset, addresses map[string]string) {
	byName, addresses = make(map[string]*asset), make(map[string]string)
	add := func(name, kind string, data []byte) {
		sum := sha256.Sum256(data)
		at := strings.TrimSuffix(name, path.Ext(name)) + "." + hex.EncodeToString(sum[:6]) + path.Ext(name)
		var b bytes.Buffer
		z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is valid, and a Buffer has no errors
		z.Write(data)
		z.Close()
		byName[at], addresses[name] = &asset{kind, data, b.Bytes()}, "/assets/"+at
	}
	read := func(name string) []byte {
		data, err := files.ReadFile("assets/" + name)
		if err != nil {
			panic(err) // it is embedded
		}
		return data
	}
	add("page.css", "text/css; charset=utf-8", slices.Concat([]byte(html.Style()+".statement {\n"+statement.Style()+"}\n"),
		read("page.css")))
	add("page.js", "text/javascript; charset=utf-8", read("page.js"))
	add("htmx.js", "text/javascript; charset=utf-8", read("htmx.js"))
	add("icon.svg", "image/svg+xml", read("icon.svg"))
	return byName, addresses
})

func assetAddresses() map[string]string {
	_, addresses := assets()
	return addresses
}

// serveAsset answers with an asset.
func serveAsset(w http.ResponseWriter, r *http.Request) {
	all, _ := assets()
	a := all[r.PathValue("name")]
	if a == nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", a.kind)
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	w.Header().Set("Vary", "Accept-Encoding")
	data := a.data
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		w.Header().Set("Content-Encoding", "gzip")
		data = a.packed
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
}

// templates are the pages by their names: each file of the folder templates with the
// layout and the parts that several pages have.
var templates = sync.OnceValue(func() map[string]*template.Template {
	shared := template.Must(template.New("").Funcs(html.Functions()).Funcs(functions).ParseFS(files,
		"templates/shared/*.tmpl"))
	all := make(map[string]*template.Template)
	names, err := fs.Glob(files, "templates/*.tmpl")
	if err != nil {
		panic(err) // the pattern is right
	}
	for _, name := range names {
		all[strings.TrimSuffix(path.Base(name), ".tmpl")] = template.Must(template.Must(shared.Clone()).ParseFS(files, name))
	}
	return all
})
