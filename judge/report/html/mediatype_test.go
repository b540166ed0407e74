package html

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"crucible/judge"
)

// A picture is what its name announces, and not larger than a browser can show.
func TestMediaType(t *testing.T) {
	var small, photo bytes.Buffer
	dot := image.NewGray(image.Rect(0, 0, 2, 3))
	if err := png.Encode(&small, dot); err != nil {
		t.Fatal(err)
	}
	if err := jpeg.Encode(&photo, dot, nil); err != nil {
		t.Fatal(err)
	}
	huge := bytes.Clone(small.Bytes())
	header := huge[12:29] // "IHDR" and its fields
	binary.BigEndian.PutUint32(header[4:], 60_000)
	binary.BigEndian.PutUint32(header[8:], 60_000)
	binary.BigEndian.PutUint32(huge[29:], crc32.ChecksumIEEE(header))
	const svg = `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>`
	for _, c := range []struct {
		name, data, want, wrong string
	}{
		{"a.svg", svg, "image/svg+xml", ""},
		{"a.svg", `<s:svg xmlns:s="http://www.w3.org/2000/svg"/>`, "image/svg+xml", ""},
		{"a.png", small.String(), "image/png", ""},
		{"a.jpg", photo.String(), "image/jpeg", ""},
		{"a.jpeg", photo.String(), "image/jpeg", ""},
		{"a.png", photo.String(), "", "a.png: found a picture of type jpeg: expected png"},
		{"a.png", svg, "", "a.png: image: unknown format: expected a picture of type png"},
		{"a.svg", "<html><script>alert(1)</script></html>", "", "a.svg: found no element <svg> at the start: expected an SVG"},
		{"a.svg", small.String(), "", "a.svg: found no element <svg> at the start: expected an SVG"},
		{"a.png", string(huge), "", "a.png: 60000 x 60000 pixels: expected at most"},
		{"a.html", "<script>", "", "a.html: image: unknown format: expected a picture of type html"},
	} {
		got, err := MediaType(&judge.Image{Name: c.name, Data: []byte(c.data)})
		if got != c.want || (err == nil) != (c.wrong == "") || err != nil && !strings.HasPrefix(err.Error(), c.wrong) {
			t.Errorf("MediaType of %s with %.20q = %q, %v; expected %q, %q", c.name, c.data, got, err, c.want, c.wrong)
		}
	}
}
