package html

import (
	"bytes"
	"fmt"
	"image"
	_ "image/jpeg" // sizes of JPEG images
	_ "image/png"  // sizes of PNG images
	"path"
	"strings"

	"crucible/judge"
)

// maxPixels is the size of a picture that can be shown: a small file may have more
// pixels than a browser has memory.
const maxPixels = 40 << 20

// MediaType returns the media type of a picture that a browser can show in an img element,
// where no script of an SVG runs and nothing that it names is loaded. The error is for data
// that its name does not announce, and for too many pixels.
func MediaType(i *judge.Image) (string, error) {
	kind := strings.ToLower(strings.TrimPrefix(path.Ext(i.Name), "."))
	if kind == "svg" {
		head := i.Data[:min(len(i.Data), 4<<10)]
		if bytes.IndexByte(i.Data, 0) >= 0 || !bytes.Contains(head, []byte("<svg")) && !bytes.Contains(head, []byte(":svg")) {
			return "", fmt.Errorf("%s: found no element <svg> at the start: expected an SVG", i.Name)
		}
		return "image/svg+xml", nil
	}
	if kind == "jpg" {
		kind = "jpeg"
	}
	size, found, err := image.DecodeConfig(bytes.NewReader(i.Data))
	switch {
	case err != nil:
		return "", fmt.Errorf("%s: %w: expected a picture of type %s", i.Name, err, kind)
	case found != kind:
		return "", fmt.Errorf("%s: found a picture of type %s: expected %s", i.Name, found, kind)
	case size.Width <= 0 || size.Height <= 0 || size.Width > maxPixels/size.Height:
		return "", fmt.Errorf("%s: %d x %d pixels: expected at most %d in total", i.Name, size.Width, size.Height, maxPixels)
	}
	return "image/" + kind, nil
}
