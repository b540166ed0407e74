package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"crucible/judge"
	"crucible/judge/internal/cli"
	"crucible/judge/internal/osfile"
	"crucible/judge/problem"
	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/client"
	"crucible/judge/serve/remote"
	"crucible/judge/serve/server"
	"crucible/judge/serve/server/queue"
	"crucible/judge/terminal"
)

// serveFlags are the flags of judged serve.
type serveFlags struct {
	listen      string
	dir         string
	tokens      string
	cert, key   string
	plain       bool
	local       bool
	jobs        int
	durable     bool
	disk        int64
	verbose     bool
	keep        time.Duration
	folder      string   // of problems; "" for none
	hosts       []string // see [page.Site]
	audit       float64
	doubt       float64
	open        bool          // see [server.Server.MetricsOpen]
	calibrate   time.Duration // see [server.Workers.Every]
	ackWait     time.Duration // see [queue.Options]; 0 is its default
	poll        time.Duration // see [server.Server.Poll]
	limits      server.Limits
	connections server.Connections
	packages    server.PackageLimits
	cluster     clusterFlags
}

func serveCommand(e *cli.Env) *cobra.Command {
	var f serveFlags
	c := &cobra.Command{
		Use:   "serve [FOLDER]",
		Short: "take work from other machines, and have it done",
		Long: `Take packages, submissions and work items from other machines, and have them
judged by workers: one on this machine, unless --local-worker=false, and those that
judged worker starts elsewhere. The address and a token are printed to standard
output; the log goes to standard error. Open the printed link in a browser for pages that show problems, judge
programs, and follow and compare runs; --host permits further names of the server.

Judgements (POST /v1/judgements, judge eval --on) are of the problems in FOLDER, which
is a repository, a package or a folder of packages (default: the working folder, if
it is one), and of packages that clients send. See judge help servers; the server
describes its addresses at /openapi.json.

At an address that other machines reach, the port is HTTPS. Without --tls-cert the server
makes a certificate, once, and the token that it prints is SECRET.tls.FINGERPRINT: clients
and workers check that the server has the key with this fingerprint, and nothing else.
Add .tls.FINGERPRINT to secrets of --tokens, too. Browsers warn about the certificate,
and other programs do not trust it. --plain is for a server behind a proxy.

The folder of --dir has the token of this machine, the certificate, the packages that were
sent, judgements, and the queue. A server that is started again with the same folder goes on
where it was.

Tokens. Each line of --tokens has the name of a user, scopes with commas between them,
and a secret of 16 characters or more. Tokens of one name are one client. With --nats,
they are valid at all servers with the same state, in place of those that any of these was
started with before; a server without --tokens takes them, too.

  student  see statements and samples, submit programs for the problems in FOLDER, and
           see of these the verdicts, not the test data: see judge help servers
  jury     see everything of all problems, also the programs of others; jury:ID is that
           for the problem ID, and can be repeated: jury:sum,jury:poj3074
  eval     run programs, on packages, too, that tokens of the name have sent; it sees no
           problems of the server
  worker   make runs: judged worker
  admin    everything, and take out workers
  read     see statements and samples, workers and /metrics

Of earlier versions, submit is jury,eval, and administer is admin; read shows no secret
data any more.

What is promised: work that was accepted gets exactly one verdict. It may be done twice;
the verdict that is stored first counts, also when workers, servers and clients are
killed or stopped at any moment, and when networks drop, delay or repeat requests. If
the only server loses power, up to 10 s of accepted work may be missing, or may end with
an error because its files are missing: send it again. With --durable nothing is
missing. With --nats, and a cluster of three with sync_interval: always, no single
machine's loss loses anything. When the disk is nearly full, or what --disk permits is
used, the server takes no new work (status 507; the log says what is full), and goes on
by itself when there is room: judgements make some after --keep. So does one whose
machine is cut off the cluster (status 503). What a disk has changed is read from a
copy, or is an error of its judgement. Not promised: changes of the members of a cluster
while it is cut apart, verdicts older than --keep, order, or a time.

Ctrl-C or SIGTERM: no more work is taken, what is under way is completed, and judgements
that wait begin with the next start. Another one, a second later or more, stops at once,
with status 130. Judgements that are then under way begin again with the next start;
clients send work items again.`,
		Args: cli.Arguments(0, 1),
		RunE: func(c *cobra.Command, args []string) error {
			var err error
			if f.folder, err = problemsIn(args); err != nil {
				return err
			}
			return serve(c.Context(), e, &f)
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.listen, "listen", "127.0.0.1:8520", "take requests at `ADDRESS`, host:port; port 0 is any free one")
	flags.StringVar(&f.dir, "dir", "", "keep data in `FOLDER` (default: crucible/server in the user's state folder)")
	flags.StringVar(&f.tokens, "tokens", "",
		"also accept the tokens of `FILE`, lines with the name of a user, scopes and a secret: see above")
	flags.StringVar(&f.cert, "tls-cert", "",
		"serve HTTPS with the certificate in `FILE`, which clients know by its authority; needs --tls-key")
	flags.StringVar(&f.key, "tls-key", "", "the key of the certificate, in `FILE`")
	flags.BoolVar(&f.plain, "plain", false,
		"serve plain HTTP at addresses of other machines, too: for a server behind a proxy that serves HTTPS")
	flags.BoolVar(&f.local, "local-worker", true, "make runs on this machine, too")
	flags.IntVarP(&f.jobs, "jobs", "j", 0,
		"run at most `N` programs at once on this machine (default: one per CPU, but one less where there are three or more)")
	flags.BoolVar(&f.durable, "durable", false,
		"write each judgement and each change of the queue to the disk before it counts (default: every 10 s)")
	flags.Int64Var(&f.disk, "disk", 20<<30,
		"keep at most `BYTES`: half for judgements and the queue, of which each stream has a share, a quarter for packages, "+
			"and a quarter for those that are open; packages not used for the longest time go first. With --nats, half of "+
			"BYTES is on each machine of NATS")
	flags.DurationVar(&f.keep, "keep", 30*24*time.Hour, "keep judgements that have ended for `DURATION`")
	flags.Float64Var(&f.audit, "audit", 0.01,
		"have this `SHARE` of the work items executed again by another worker, report differences, and take out a worker "+
			"that differs from two others: see judge help workers")
	flags.Float64Var(&f.doubt, "doubt", judge.DefaultDoubt,
		"in judgements, have another worker make a run again whose verdict changes there, to or from TLE, with a "+
			"probability of `SHARE` or more; 1 makes none again; judge run --on has its own --doubt")
	flags.StringArrayVar(&f.hosts, "host", nil,
		"also answer browsers that know this server as `NAME`; can be repeated (default: IP addresses, localhost and the "+
			"name of this machine)")
	flags.DurationVar(&f.calibrate, "calibrate-every", 10*time.Minute,
		"calibrate each worker after `TIME`, for about a second between work items: machine classes are formed of workers "+
			"with equal times. 0 calibrates none and forms no classes")
	flags.BoolVar(&f.open, "metrics-open", false,
		"answer GET /metrics, the figures for Prometheus, without a token (default: scope read, jury or eval)")
	f.limits = server.DefaultLimits
	flags.Int64Var(&f.limits.Body, "max-body", f.limits.Body,
		"refuse requests with more than `BYTES`, and such lines of batches; packages and files, which are written to the "+
			"disk as they come, may have 1 GiB")
	flags.Int64Var(&f.limits.Waiting, "max-waiting", f.limits.Waiting,
		"keep at most `BYTES` of the requests of one token in memory until they are answered, or their judgements end")
	flags.IntVar(&f.limits.Requests, "max-requests", f.limits.Requests,
		"receive the bodies of at most `N` requests of one token at once")
	flags.DurationVar(&f.limits.Stall, "stall", f.limits.Stall, "give up a request without a further byte for `TIME`")
	flags.IntVar(&f.connections.Most, "max-connections", 0,
		"close the connection that has been silent for the longest time when there are more than `N` (default: 1000, or "+
			"half of the files that the process may open)")
	f.packages = server.DefaultPackage
	flags.Int64Var(&f.packages.Bytes, "max-package", f.packages.Bytes, "refuse packages with more than `BYTES` of files")
	flags.IntVar(&f.packages.Cases, "max-cases", f.packages.Cases, "refuse packages with more than `N` test cases")
	flags.DurationVar(&f.packages.Time, "open-time", f.packages.Time, "refuse packages that take more than `TIME` to open")
	f.cluster.add(c)
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "log each request and each work item")
	flags.DurationVar(&f.ackWait, "ack-wait", 0,
		"give the item of a worker without a sign of life to another one after `TIME`")
	flags.MarkHidden("ack-wait") // for tests: a lost worker is noticed sooner
	flags.DurationVar(&f.poll, "poll-time", 0, "let workers and clients wait for at most `TIME` in one request")
	flags.MarkHidden("poll-time") // for tests: answers end sooner
	cli.Positives(c, "disk", "keep", "doubt", "max-body", "max-waiting", "max-requests", "stall", "max-connections",
		"max-package", "max-cases", "open-time")
	return c
}

// leastDisk is the least value of --disk: the smallest stream has room for 64 work items.
const leastDisk = 128 << 20

// syncEach is the time between syncs of packages without --durable, which may take as long.
const syncEach = 5 * time.Second

// problemsIn returns the folder of problems: the named one, or the working folder if it
// has problems. The error is for a named folder without problems.
func problemsIn(args []string) (string, error) {
	folder := osfile.Getwd()
	if len(args) > 0 {
		var err error
		if folder, err = filepath.Abs(args[0]); err != nil {
			return "", err
		}
	} else if below, _ := filepath.Glob(filepath.Join(folder, "*", "problem.yaml")); len(below) == 0 &&
		!problem.IsPackage(folder) && !problem.IsRepository(folder) {
		return "", nil // it may be large and have nothing to do with problems
	}
	sources, err := problem.Sources(folder)
	for _, s := range sources {
		s.Close()
	}
	if err != nil && len(args) == 0 {
		return "", nil
	}
	return folder, err
}

// serve runs judged serve.
func serve(ctx context.Context, e *cli.Env, f *serveFlags) error {
	ctx, drain, stop := untilStopped(ctx)
	defer stop()
	if (f.cert == "") != (f.key == "") {
		return errors.New("--tls-cert and --tls-key: expected both or none")
	}
	if f.plain && f.cert != "" {
		return errors.New("--plain and --tls-cert: expected one of them")
	}
	if !(f.audit >= 0 && f.audit <= 1) {
		return fmt.Errorf("--audit %v: expected 0 to 1", f.audit)
	}
	if f.calibrate < 0 {
		return fmt.Errorf("--calibrate-every %v: expected 0 or more", f.calibrate)
	}
	if f.disk < leastDisk {
		return fmt.Errorf("--disk %d: expected at least %d", f.disk, leastDisk)
	}
	if f.jobs < 0 {
		return fmt.Errorf("--jobs %d: expected 1 or more, or 0", f.jobs)
	}
	if f.durable && f.cluster.nats != "" {
		return errors.New("--durable: with --nats, it is sync_interval: always in the configuration of NATS")
	}
	if err := f.cluster.check(); err != nil {
		return err
	}
	d, err := openDir(f)
	if err != nil {
		return err
	}
	defer d.close()
	log := logTo(e.Stderr, f.verbose)
	for _, name := range d.tokens.Readers() {
		log.Warn("a token with the scope read shows no secret data any more: expected the scope jury for that", "token", name)
	}
	listener, err := net.Listen("tcp", f.listen)
	if err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	defer listener.Close()
	address := listener.Addr().(*net.TCPAddr)
	if f.cluster.nats != "" && f.cluster.advertise == "" && address.IP.IsUnspecified() {
		return fmt.Errorf("--listen %s: expected --advertise, the address at which the other servers reach this one",
			f.listen)
	}
	certificate, made, err := f.certificate(address)
	if err != nil {
		return err
	}
	go d.store.SyncEvery(ctx, syncEach, func(err error) { log.Error("packages are not on the disk yet", "error", err) })
	grants := &server.Grants{Store: d.store}
	state := f.cluster.options(f.dir, d.name, log)
	state.Durable, state.AckWait, state.Keep, state.Bytes = f.durable, f.ackWait, f.keep, f.disk/2
	state.Leased = grants.Leased
	starting, started := untilDrained(ctx, drain)
	q, err := queue.Start(starting, state)
	if err = cli.JudgeFailed(starting, err); err == nil {
		defer q.Close()
		if f.cluster.nats != "" {
			if err = d.share(starting, f.dir, q); err == nil {
				certificate, made, err = f.certificate(address)
			}
			if err == nil {
				err = d.tokens.Share(starting, q, f.tokens != "")
			}
		}
	}
	started()
	if err != nil && starting.Err() != nil {
		fmt.Fprintln(e.Stderr, "judged: stopped before it has begun:", err)
		return context.Cause(ctx)
	}
	if err != nil {
		return err
	}
	d.tokens.Add(thisMachine, d.secret, server.Admin)
	token := api.JoinToken(d.secret, made)
	if token != d.token {
		if err := osfile.WriteSynced(filepath.Join(f.dir, client.TokenFile), []byte(token+"\n")); err != nil {
			return err
		}
	}
	url, own := "http://", d.secret
	if certificate != nil { // whose names need not have the address at which this machine finds the server
		url, own = "https://", api.JoinToken(d.secret, api.KeyFingerprint(certificate.Leaf))
	}
	url += net.JoinHostPort(shownHost(address), strconv.Itoa(address.Port))

	f.connections.Most = cmp.Or(f.connections.Most, min(1000, openFiles()/2))
	workers := &server.Workers{Key: d.key, Queue: q, Every: f.calibrate, Log: log, HasToken: d.tokens.Has}
	if err := workers.Load(); err != nil {
		return err
	}
	pool := &server.Queued{Queue: q, Workers: workers, Compilations: server.Compilations{Log: log},
		Audit: &server.Audit{Share: f.audit, Workers: workers, Log: log}}
	metrics := server.NewMetrics(pool)
	s := &server.Server{
		Judge: remote.Version(), Store: d.store, Tokens: d.tokens, Workers: workers, Grants: grants, Log: log,
		Metrics: metrics.Handler(), MetricsOpen: f.open, Observe: metrics.Observe, Limits: f.limits, Poll: f.poll,
		Pool: metrics.Pool(pool), State: q,
		Problems: &server.Problems{Folder: f.folder, Dir: filepath.Join(f.dir, "problems"), Store: d.store,
			Sent: q.Bucket(server.PackageBucket), Judge: remote.Version(), Pool: metrics.Pool(pool), Doubt: f.doubt,
			Package: f.packages, Disk: f.disk / 4, Durable: f.durable},
	}
	if f.cluster.nats != "" {
		d.join(s, &f.cluster, url, made)
	}
	if err := s.Problems.Open(); err != nil {
		return err
	}
	defer s.Problems.Close()
	for _, id := range d.tokens.Juries() {
		if !s.Problems.Has(id) {
			log.Warn("a token has a scope for a problem that the server does not have now", "scope", "jury:"+id)
		}
	}
	var draw *judge.Judge
	if f.local {
		draw = &judge.Judge{Jobs: 1}
		defer draw.Close() // temporary files, which the next judge removes if this fails
		if err := new(cli.Levels).Limit(draw); err != nil {
			return err
		}
	}
	s.Backup = func(ctx context.Context, w io.Writer) error {
		_, err := backup(ctx, f.dir, q, w)
		return err
	}
	site := addPages(s, d, f, draw, log)
	site.Secure = certificate != nil
	handler := s.Handler()
	if err := s.Resume(ctx); err != nil {
		return cli.WithStatus(cli.StatusJudge, err)
	}
	http1 := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		ConnState: f.connections.Changed, ConnContext: f.connections.Context,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug)}
	if certificate != nil {
		http1.TLSConfig = &tls.Config{Certificates: []tls.Certificate{*certificate}}
	}
	ended := make(chan error, 1)
	go func() {
		if certificate != nil {
			ended <- http1.ServeTLS(listener, "", "") // with that of TLSConfig
		} else {
			ended <- http1.Serve(listener)
		}
	}()
	defer http1.Close()

	if err := osfile.WriteAtomic(filepath.Join(f.dir, addressFile), []byte(url+"\n")); err != nil {
		return err
	}
	local := make(chan error, 1)
	localDrain := make(chan struct{})
	if f.local {
		go func() { local <- localWorker(ctx, f, url, own, localDrain, log) }()
	} else {
		local <- nil
	}
	leave := func() {}
	if s.Cluster != nil {
		here, cancel := context.WithCancel(ctx)
		defer cancel()
		left, err := s.Join(here)
		if err != nil {
			return err
		}
		leave = func() { cancel(); <-left }
	}
	problems := "none in this folder; judged serve FOLDER serves those of another"
	if f.folder != "" {
		problems = "those of " + terminal.Clean(f.folder)
	}
	fmt.Fprintf(e.Stdout, "judged: at %s\n  export CRUCIBLE_SERVER=%s CRUCIBLE_TOKEN=%s\n  pages: %s (this link logs "+
		"in once)\n  problems: %s\n", url, url, token, url+site.LoginPath(), problems)
	select {
	case err := <-ended:
		return cli.WithStatus(cli.StatusJudge, err)
	case <-drain:
	}
	fmt.Fprintln(e.Stderr, "judged: completing what is under way; Ctrl-C a second later stops at once")
	s.Drain(ctx)
	close(localDrain)
	if err := <-local; err != nil && ctx.Err() == nil {
		log.Error("the worker of this machine", "error", err)
	}
	leave()
	q.Close() // other workers wait for items, for up to 25 s
	if err := http1.Shutdown(ctx); ctx.Err() == nil {
		return err
	}
	return context.Cause(ctx) // a second signal: not all was completed
}

// shownHost returns a host at which this machine finds the server.
func shownHost(a *net.TCPAddr) string {
	if a.IP.IsUnspecified() {
		return "127.0.0.1"
	}
	return a.IP.String()
}

// A serverDir is the folder of a server.
type serverDir struct {
	store  *blob.Store
	tokens *server.Tokens
	token  string // of this machine, with all scopes, in its file
	secret string // of that token
	key    []byte // of the tokens of workers
	name   string // of the server
	lock   *os.File
}

// openDir opens the folder of the server, and creates what is missing.
func openDir(f *serveFlags) (d *serverDir, err error) {
	if f.dir == "" {
		if f.dir, err = client.StateDir(); err != nil {
			return nil, err
		}
	}
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return nil, err
	}
	d = &serverDir{tokens: new(server.Tokens)}
	if d.lock, err = lockDir(f.dir); err != nil {
		return nil, err
	}
	if err := checkForm(f.dir); err != nil {
		return nil, err
	}
	if f.tokens != "" {
		file, err := os.Open(f.tokens)
		if err != nil {
			return nil, err
		}
		d.tokens, err = server.ReadTokens(file, f.tokens)
		file.Close()
		if err != nil {
			return nil, err
		}
	}
	if err := d.readSecrets(f.dir); err != nil {
		return nil, err
	}
	if d.name, err = nameIn(f.dir); err != nil {
		return nil, err
	}
	if d.store, err = blob.Open(filepath.Join(f.dir, "blobs"), f.disk/4); err == nil {
		d.store.Durable = true
	}
	return d, err
}

// keyFile is the file in the folder of a server with [serverDir.key].
const keyFile = "key"

// readSecrets reads the secrets of the folder, and makes those that are missing.
func (d *serverDir) readSecrets(dir string) (err error) {
	if d.token, err = secretIn(filepath.Join(dir, client.TokenFile)); err != nil {
		return err
	}
	if d.secret, _, err = api.SplitToken(d.token); err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(dir, client.TokenFile), err)
	}
	key, err := secretIn(filepath.Join(dir, keyFile))
	d.key = []byte(key)
	return err
}

// lockDir locks the folder of a server.
func lockDir(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := osfile.Lock(f); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: another server uses this folder: %w", dir, err)
	}
	return f, nil
}

// form is that of the data in the folder of a server. It changes when an older one cannot be
// read any more.
const form = "5"

// formFile is the file in the folder of a server with its form.
const formFile = "form"

// checkForm refuses the folder of a server that kept its data in another form.
func checkForm(dir string) error {
	name := filepath.Join(dir, formFile)
	found, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(filepath.Join(dir, keyFile)); errors.Is(err, fs.ErrNotExist) { // it is new
			return osfile.WriteSynced(name, []byte(form+"\n"))
		}
		found, err = []byte("1"), nil
	}
	if err == nil && strings.TrimSpace(string(found)) != form {
		err = fmt.Errorf("%s: the data of another version of judged, form %.20q: expected form %s: name another folder with "+
			"--dir, or remove this one", dir, strings.TrimSpace(string(found)), form)
	}
	return err
}

func (d *serverDir) close() {
	d.store.Close()
	d.lock.Close()
}

// secretIn returns the secret in a file. If there is no file, it creates one.
func secretIn(name string) (string, error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		data = []byte(rand.Text() + "\n")
		err = osfile.WriteSynced(name, data)
	}
	secret := strings.TrimSpace(string(data))
	if err == nil && len(secret) < 16 {
		err = fmt.Errorf("%s: a secret of %d characters: expected 16 or more; remove the file", name, len(secret))
	}
	return secret, err
}

// localWorker runs a worker in a process of its own until drain is closed.
func localWorker(ctx context.Context, f *serveFlags, url, token string, drain <-chan struct{}, log *slog.Logger) error {
	name, err := os.Hostname()
	if err != nil {
		return err
	}
	w := workerFlags{server: url, name: name, jobs: f.jobs, dir: filepath.Join(f.dir, "worker"), leave: true}
	return w.supervise(ctx, token, drain, log)
}

// own returns the command that runs this program again.
func own(args ...string) (*exec.Cmd, error) {
	program, err := os.Executable()
	return exec.Command(program, args...), err
}
