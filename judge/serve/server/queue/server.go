package queue

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"crucible/judge/internal/osfile"
)

// Options are the settings of a Server.
type Options struct {
	// Dir is the folder of the streams. It is not used if URL is set.
	Dir string
	// Listen is the address for workers and submitters of other processes. The
	// default, "", listens nowhere: connections of this process only.
	Listen string
	// TLS is that of the listener, or of the connection to URL. The default is none.
	TLS *tls.Config
	// Durable syncs every write to the disk before it is acknowledged.
	Durable bool
	// SyncInterval is the time between syncs if not Durable: at most 10 s, which is
	// also the default. NATS itself waits two minutes, and loses acknowledged
	// messages when the machine loses power (nats-server#7564).
	SyncInterval time.Duration
	// Authorise returns what a connection with the token may do, or an error to
	// refuse it. If it is nil, every connection may do everything. It is called for
	// each new connection, from several goroutines.
	Authorise func(token string) (Permissions, error)

	// URL is an external NATS server or cluster to use instead of an own server,
	// with Token. Authorisation is then up to that cluster.
	URL   string
	Token string
	// Replicas of the streams: 1 (the default) or 3.
	Replicas int

	// Handed is called, if it is not nil, before an item is given to a worker, from
	// several goroutines.
	Handed func(worker string, it *Item, payload []byte)

	// Assigned returns the classes of a worker that asks for the first time, until
	// Assign is called. Nil means those that it asks for.
	Assigned func(worker string) []string

	// AckWait is the time without a sign of life after which an item is delivered
	// again. The default is DefaultAckWait.
	AckWait time.Duration
	// Keep is how long verdicts are kept. The default is 30 days.
	Keep time.Duration
	// Log gets what an administrator should know. The default discards it.
	Log *slog.Logger
}

// Permissions are what a connection may do.
type Permissions struct {
	// Submit allows everything: submitting, reading verdicts, cancelling.
	Submit bool
	// Worker is the identity of a worker. The connection may fetch items for the
	// classes and languages (nil means all), and settle what it was given.
	Worker             string
	Classes, Languages []string
	// Slots is how many items the worker may wait for at once; 0 means MaxSlots.
	Slots int
}

// A Server gives items to workers and stores verdicts.
type Server struct {
	nats       *server.Server // nil if external
	conn       *nats.Conn
	dispatcher *dispatcher
	auth       *authenticator
	external   Connection
	folder     *os.File // holds the lock of Options.Dir
	closed     sync.Once
}

// Start starts a Server. Close must be called to end it.
func Start(ctx context.Context, o Options) (*Server, error) {
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	s := &Server{auth: &authenticator{authorise: o.Authorise, own: rand.Text()}}
	s.external = Connection{URL: o.URL, Token: o.Token, TLS: o.TLS, Log: o.Log}
	if o.URL == "" {
		if err := s.listen(o); err != nil {
			s.Close()
			return nil, err
		}
	}
	s.conn, err = s.Connection().dial(ctx, "")
	if err == nil {
		s.dispatcher, err = dispatch(ctx, s.conn, o, s.auth.permits)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (o Options) complete() (Options, error) {
	const most = 10 * time.Second
	if o.SyncInterval == 0 {
		o.SyncInterval = most
	}
	if o.SyncInterval < 0 || o.SyncInterval > most {
		return o, fmt.Errorf("queue: SyncInterval is %v, expected at most %v", o.SyncInterval, most)
	}
	if o.Replicas == 0 {
		o.Replicas = 1
	}
	if o.Replicas != 1 && o.Replicas != 3 {
		return o, fmt.Errorf("queue: Replicas is %d, expected 1 or 3", o.Replicas)
	}
	if o.URL == "" && o.Dir == "" {
		return o, errors.New("queue: neither Dir nor URL is set, expected one of them")
	}
	if o.AckWait == 0 {
		o.AckWait = DefaultAckWait
	}
	if o.Keep == 0 {
		o.Keep = 30 * 24 * time.Hour
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o, nil
}

// lock takes the folder for this process: two servers would destroy its streams.
func (s *Server) lock(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("queue: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("queue: %w", err)
	}
	if errors.Is(osfile.Lock(f), osfile.ErrLocked) {
		f.Close()
		return fmt.Errorf("queue: %s: in use by another server", dir)
	}
	s.folder = f
	return nil
}

// listen starts the embedded server.
func (s *Server) listen(o Options) error {
	if err := s.lock(o.Dir); err != nil {
		return err
	}
	host, port := "", 0
	if o.Listen != "" {
		h, p, err := net.SplitHostPort(o.Listen)
		if err != nil {
			return fmt.Errorf("queue: Listen: %w", err)
		}
		if port, err = strconv.Atoi(p); err != nil {
			return fmt.Errorf("queue: Listen: port %q, expected a number", p)
		}
		if host = h; port == 0 {
			port = server.RANDOM_PORT
		}
	}
	options := &server.Options{
		ServerName: "crucible", Host: host, Port: port, DontListen: o.Listen == "",
		JetStream: true, StoreDir: filepath.Join(o.Dir, "nats"), SyncInterval: o.SyncInterval, SyncAlways: o.Durable,
		NoSigs: true, NoLog: true, DisableJetStreamBanner: true, TLSConfig: o.TLS, TLSTimeout: 5,
		CustomClientAuthentication: s.auth,
	}
	n, err := server.NewServer(options)
	if err != nil {
		return fmt.Errorf("queue: %w", err)
	}
	s.nats = n
	log := &serverLog{log: o.Log}
	n.SetLoggerV2(log, false, false, false)
	n.Start()
	if !n.ReadyForConnections(30 * time.Second) {
		return fmt.Errorf("queue: the server in %s is not ready after 30 s: %s", o.Dir, log.last())
	}
	return nil
}

// URL is the address for workers and submitters, or "" if the Server listens nowhere.
func (s *Server) URL() string {
	if s.nats == nil {
		return s.external.URL
	}
	if a, ok := s.nats.Addr().(*net.TCPAddr); ok {
		return "nats://" + a.String()
	}
	return ""
}

// Connection returns a connection with all permissions. To an embedded server it
// needs no network.
func (s *Server) Connection() Connection {
	if s.nats == nil {
		return s.external
	}
	return Connection{Token: s.auth.own, Log: s.external.Log, inProcess: s.nats}
}

// Disconnect ends the connections of a worker of the embedded server. Authorise must
// refuse its tokens from now on, else it connects again. What it runs is delivered
// to others after AckWait.
func (s *Server) Disconnect(worker string) error {
	if s.nats == nil {
		return errors.New("queue: Disconnect: the server is an external one")
	}
	all, err := s.nats.Connz(&server.ConnzOptions{Username: true, User: userOf(worker), Limit: 1 << 20})
	if err != nil {
		return fmt.Errorf("queue: Disconnect: %w", err)
	}
	for _, c := range all.Conns {
		// A connection that has ended meanwhile is not an error.
		_ = s.nats.DisconnectClientByID(c.Cid)
	}
	return nil
}

// Assign replaces the classes that a worker asks for. With no classes it gets no items, and
// those that it has go to other workers at its next sign of life.
func (s *Server) Assign(worker string, classes ...string) {
	d := s.dispatcher
	if d.assigned.set(worker, tokensOf(classes)) {
		d.board.refuseWorker(worker) // it asks again
	}
}

// userOf is the name of a worker's connections in the embedded server.
func userOf(worker string) string { return "worker " + worker }

// Close ends the Server. Items and verdicts stay on the disk; items that workers
// have are theirs until AckWait has passed.
func (s *Server) Close() {
	s.closed.Do(func() {
		if s.dispatcher != nil {
			s.dispatcher.close()
		}
		if s.conn != nil {
			s.conn.Close()
		}
		if s.nats != nil {
			s.nats.Shutdown()
			s.nats.WaitForShutdown()
		}
		if s.folder != nil {
			s.folder.Close()
		}
	})
}

// dial connects, and waits while no server answers. A worker's identity is part of
// its inbox, the only subject that it may listen to.
func (c Connection) dial(ctx context.Context, worker string, more ...nats.Option) (*nats.Conn, error) {
	options := append([]nats.Option{
		nats.Token(c.Token), nats.Name("crucible"), nats.MaxReconnects(-1),
		nats.ReconnectWait(200 * time.Millisecond), nats.ReconnectJitter(200*time.Millisecond, time.Second),
		nats.PingInterval(10 * time.Second), nats.MaxPingsOutstanding(2), nats.IgnoreAuthErrorAbort(),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { c.log().Warn("nats", "error", err) }),
	}, more...)
	if worker != "" {
		options = append(options, nats.CustomInboxPrefix(inbox(worker)))
	}
	if c.TLS != nil {
		options = append(options, nats.Secure(c.TLS))
	}
	if c.inProcess != nil {
		options = append(options, nats.InProcessServer(c.inProcess))
	}
	for {
		conn, err := nats.Connect(c.URL, options...)
		if err == nil {
			return conn, nil
		}
		if !errors.Is(err, nats.ErrNoServers) {
			return nil, fmt.Errorf("queue: %s: %w", c.URL, err)
		}
		c.log().Warn("no server answers; the connection is tried again", "url", c.URL)
		if sleep(ctx, 500*time.Millisecond); ctx.Err() != nil {
			return nil, fmt.Errorf("queue: %s: %w", c.URL, err)
		}
	}
}

func (c Connection) log() *slog.Logger {
	if c.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return c.Log
}

func inbox(worker string) string { return "_INBOX_" + subjectToken(worker) }

// An authenticator decides what connections to the embedded server may do.
type authenticator struct {
	authorise func(token string) (Permissions, error)
	own       string   // the token of this process
	granted   sync.Map // worker → Permissions
}

// Check implements server.Authentication.
func (a *authenticator) Check(c server.ClientAuthentication) bool {
	token := c.GetOpts().Token
	if a.authorise == nil || subtle.ConstantTimeCompare([]byte(token), []byte(a.own)) == 1 {
		c.RegisterUser(&server.User{Username: "crucible"})
		return true
	}
	p, err := a.authorise(token)
	if err != nil || !p.Submit && p.Worker == "" {
		return false
	}
	user := &server.User{Username: "submitter"}
	if !p.Submit {
		a.granted.Store(p.Worker, p)
		user = &server.User{Username: userOf(p.Worker), Permissions: &server.Permissions{
			Publish:   &server.SubjectPermission{Allow: []string{workSubject + subjectToken(p.Worker) + ".>"}},
			Subscribe: &server.SubjectPermission{Allow: []string{inbox(p.Worker) + ".>"}},
		}}
	}
	c.RegisterUser(user)
	return true
}

// permits returns the classes and languages of which a worker may get items, as tokens, and
// the number of its slots; nil means all. A worker that connected with the permission to submit, or to an external
// cluster, may get all.
func (a *authenticator) permits(worker string) (classes, languages []string, slots int) {
	v, ok := a.granted.Load(worker)
	if !ok {
		return nil, nil, MaxSlots
	}
	p := v.(Permissions)
	return subjectTokens(p.Classes), subjectTokens(p.Languages), cmp.Or(p.Slots, MaxSlots)
}

// serverLog passes warnings and errors of the embedded server to a slog.Logger.
type serverLog struct {
	log  *slog.Logger
	mu   sync.Mutex
	text string
}

func (l *serverLog) last() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text
}

func (l *serverLog) note(level slog.Level, format string, v []any) {
	text := fmt.Sprintf(format, v...)
	l.mu.Lock()
	l.text = text
	l.mu.Unlock()
	l.log.Log(context.Background(), level, "nats: "+text)
}

func (l *serverLog) Noticef(string, ...any)         {}
func (l *serverLog) Debugf(string, ...any)          {}
func (l *serverLog) Tracef(string, ...any)          {}
func (l *serverLog) Warnf(format string, v ...any)  { l.note(slog.LevelWarn, format, v) }
func (l *serverLog) Errorf(format string, v ...any) { l.note(slog.LevelError, format, v) }
func (l *serverLog) Fatalf(format string, v ...any) { l.note(slog.LevelError, format, v) }
