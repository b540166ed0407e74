package page

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"crucible/judge"
	"crucible/judge/prepare/generate"
	"crucible/judge/problem"
	"crucible/judge/report/html"
	"crucible/judge/serve/blob"
	"crucible/judge/terminal"
)

// picturePolicy is the policy of a picture that is opened by itself. Its address is one
// of this server, but its origin is none, and it runs no script and loads nothing.
const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'none'"

// A picture is what a visualizer made, on a page.
type picture struct {
	Name, Address string
	Wrong         string // why it is not shown
}

// pictureSet has the pictures of a case or of an output.
type pictureSet struct {
	Title   string
	About   string // for those who cannot see them
	All     []picture
	Failed  string // why there are none
	Pending bool   // they are being made
}

func setOf(title, about, below string, images []judge.Image) *pictureSet {
	d := &pictureSet{Title: title, About: about}
	for _, i := range images {
		one := picture{Name: i.Name, Address: below + "/" + url.PathEscape(i.Name)}
		if _, err := html.MediaType(&i); err != nil {
			one.Wrong = terminal.Clean(err.Error())
		}
		d.All = append(d.All, one)
	}
	return d
}

// casePictures returns the pictures of a case; nil if nothing draws it here. Those that
// are not kept are made while the page waits a while.
func (s *Site) casePictures(v *visit, key string, p *problem.Problem, c *problem.Case) *pictureSet {
	visualizer, _ := generate.Visualizers(p) // a defect of generators.yaml is that of judge gen
	if s.Draw == nil || visualizer(c) == nil {
		return nil
	}
	images, err := s.draw(v, key, c.Name)
	d := setOf("Picture of the case", "Picture of case "+c.Name, "/problems/"+url.PathEscape(key)+"/pictures/"+
		(&url.URL{Path: c.Name}).EscapedPath(), images)
	switch {
	case err == errDrawing:
		d.Pending = true
	case err != nil:
		d.Failed = terminal.CleanText(reason(err))
	case len(images) == 0:
		d.Failed = "The visualizer made no picture."
	}
	return d
}

// errDrawing means that a picture is being made.
var errDrawing = blob.NewProblem(http.StatusServiceUnavailable, "the picture is being made: load it again in a moment")

// Drawings are the runs of visualizers that are under way, by the case.
type drawings struct {
	mu  sync.Mutex
	all map[string]*drawing
}

// A drawing has its result when done is closed.
type drawing struct {
	done   chan struct{}
	images []judge.Image
	err    error
}

// once calls f, unless a call for the same case is under way.
func (d *drawings) once(key string, f func() ([]judge.Image, error)) *drawing {
	d.mu.Lock()
	defer d.mu.Unlock()
	if one := d.all[key]; one != nil {
		return one
	}
	one := &drawing{done: make(chan struct{})}
	if d.all == nil {
		d.all = make(map[string]*drawing)
	}
	d.all[key] = one
	go func() {
		one.images, one.err = f()
		d.mu.Lock()
		delete(d.all, key)
		d.mu.Unlock()
		close(one.done)
	}()
	return one
}

// draw returns the pictures of a case, which the judge keeps. Visitors who ask for the same
// ones at once wait for one run of the visualizer.
func (s *Site) draw(v *visit, key, name string) ([]judge.Image, error) {
	ctx := v.Context()
	d := s.draws.once(key+"\x00"+name, func() ([]judge.Image, error) {
		ctx := context.WithoutCancel(ctx)
		p, _, done, err := s.Judge.OpenProblem(ctx, v.token, key)
		if err != nil {
			return nil, err
		}
		defer done()
		i := slices.IndexFunc(p.Cases, func(c *problem.Case) bool { return c.Name == name })
		visualizer, _ := generate.Visualizers(p)
		if s.Draw == nil || i < 0 || visualizer(p.Cases[i]) == nil {
			return nil, blob.NewProblem(http.StatusNotFound, "problem %s has no picture of a case %.100q", p.ID, name)
		}
		if err := s.Draw.Start(); err != nil {
			return nil, err
		}
		var images []judge.Image
		err = s.Draw.Each(ctx, 1, func(int) (err error) {
			images, err = s.Draw.Visualize(ctx, p, visualizer(p.Cases[i]), p.Cases[i])
			return err
		})
		return images, err
	})
	select {
	case <-d.done:
		return d.images, d.err
	case <-time.After(cellPause):
		return nil, errDrawing
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// casePicture sends a picture of a case.
func (s *Site) casePicture(v *visit) error {
	name := v.PathValue("picture")
	_, done, err := s.problemOf(v, "cases")
	if err != nil {
		return err
	}
	done()
	images, err := s.draw(v, v.PathValue("problem"), path.Dir(name))
	if err != nil {
		return err
	}
	return sendPicture(v, images, path.Base(name))
}

// cellPicture sends a picture of the output of a program on a case.
func (s *Site) cellPicture(v *visit) error {
	r, i, c, err := s.cellOf(v)
	if err != nil {
		return err
	}
	_, _, kept, err := s.runIn(r, r.Rows[i].Details[c], r.Cases[c])
	if err != nil {
		return err
	}
	return sendPicture(v, imagesOf(kept), v.PathValue("picture"))
}

// sendPicture sends the picture of a name in such a way that it is nothing but a picture.
func sendPicture(v *visit, images []judge.Image, name string) error {
	i := slices.IndexFunc(images, func(i judge.Image) bool { return i.Name == name })
	if i < 0 {
		return blob.NewProblem(http.StatusNotFound, "picture %.100q: found none of that name", name)
	}
	kind, err := html.MediaType(&images[i])
	if err != nil {
		return blob.NewProblem(http.StatusUnprocessableEntity, "%s", err)
	}
	h := v.w.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Security-Policy", picturePolicy)
	h.Set("Content-Disposition", fmt.Sprintf("inline; filename=%q", strings.Map(plainName, name)))
	h.Set("Cache-Control", "private, no-cache")
	http.ServeContent(v.w, v.Request, "", time.Time{}, bytes.NewReader(images[i].Data))
	return nil
}

// plainName replaces the characters of a name that a header must not have.
func plainName(r rune) rune {
	if r == '.' || r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
		return r
	}
	return '_'
}
