package main

import (
	"log/slog"
	"net/url"
	"os"
	"path/filepath"

	"crucible/judge"
	"crucible/judge/record"
	"crucible/judge/serve/remote"
	"crucible/judge/serve/server"
	"crucible/judge/serve/server/page"
)

// thisMachine is the name of the token of this machine.
const thisMachine = "this machine"

// addPages adds the pages to a server. The judge, which starts when it is needed, runs the
// visualizers of cases; nil runs none.
func addPages(s *server.Server, d *serverDir, f *serveFlags, draw *judge.Judge, log *slog.Logger) *page.Site {
	hosts := f.hosts
	if name, err := os.Hostname(); err == nil {
		hosts = append(hosts, name)
	}
	if u, err := url.Parse(f.cluster.advertise); err == nil && u.Host != "" { // other servers use it
		hosts = append(hosts, u.Hostname())
	}
	folder, err := record.HistoryFolder()
	if err != nil {
		folder = "" // the pages then have no history of this machine
	}
	site := &page.Site{
		Judge: s, Dir: filepath.Join(f.dir, "pages"), Keep: f.keep, Key: d.key, Hosts: hosts,
		Local: thisMachine, Version: remote.Version(), History: folder, Draw: draw, Log: log,
	}
	if s.Cluster != nil {
		site.Elsewhere = s.Cluster.Elsewhere
	}
	s.Pages, s.Watch = site.Handler(), site.Watch
	return site
}
