package queue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"crucible/judge/internal/osfile"
)

// Start starts a Queue. Close must be called to end it.
func Start(ctx context.Context, o Options) (*Queue, error) {
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	q := &Queue{Options: o, names: names(o.Prefix), again: make(chan struct{}, 1), open: make(map[string]*Pending),
		feeds: make(map[string]*feed), leases: make(map[string]*lease), running: make(map[string]*lease),
		parts: make(map[string]parted), cancelled: make(map[uint64]time.Time), presence: make(map[string]*WorkerState),
		peers: make(map[string]*peer)}
	q.room.others = q.Others
	q.run, q.cancel = context.WithCancel(context.Background())
	if o.Dir != "" {
		err = q.lock()
	}
	if err == nil {
		err = q.Ready()
	}
	var l *link
	if err == nil {
		l, err = q.dial(ctx)
	}
	if err == nil {
		q.at.Store(l)
		// Nobody waits for these any more: their submitter has ended.
		err = l.items.Purge(ctx, jetstream.WithPurgeSubject(q.names.items()+"*."+token(q.Name)+".0.>"))
	}
	if err != nil {
		q.Close()
		return nil, err
	}
	q.spawn(q.keep)
	q.spawn(q.sweep)
	q.spawn(q.measure)
	if o.Dir != "" {
		q.spawn(q.watch)
	} else if err := q.Hear(presenceSubject, q.hear); err != nil {
		q.Close()
		return nil, fmt.Errorf("queue: %w", err)
	} else {
		q.spawn(q.say)
		q.spawn(q.ask)
	}
	return q, nil
}

// spawn runs a task unless the Queue is closed; Close waits for it.
func (q *Queue) spawn(task func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		q.tasks.Go(task)
	}
}

// Close ends the Queue. Items and verdicts stay on the disk; items that workers have are
// theirs until AckWait has passed.
func (q *Queue) Close() {
	q.once.Do(func() {
		q.cancel()
		q.mu.Lock()
		q.closed = true
		q.mu.Unlock()
		q.tasks.Wait()
		if l := q.at.Load(); l != nil {
			for _, e := range q.room.take(func(*entry) bool { return true }) {
				_ = l.conn.Publish(e.ack, nak) // another process, or the next start, gives it out
			}
			_ = l.conn.FlushTimeout(time.Second)
			l.close()
		}
		for _, p := range q.pending() {
			p.end(nats.ErrConnectionClosed)
		}
		if q.folder != nil {
			q.folder.Close()
		}
	})
}

// lock takes the folder: two NATS servers on one would destroy its streams.
func (q *Queue) lock() (err error) {
	if err := os.MkdirAll(q.Dir, 0o700); err != nil {
		return fmt.Errorf("queue: %w", err)
	}
	q.folder, err = os.OpenFile(filepath.Join(q.Dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("queue: %w", err)
	}
	if errors.Is(osfile.Lock(q.folder), osfile.ErrLocked) {
		return fmt.Errorf("queue: %s: in use by another server", q.Dir)
	}
	return nil
}

// ErrAway is the error of a Queue whose cluster stores nothing: its machine is cut off, or most
// machines are lost.
var ErrAway = errors.New("queue: NATS stores nothing")

// Ready returns why the queue takes no new items, or nil: a stream is nearly full, or the disk
// is full, or was, and what was not written is not yet repaired, or it is ErrAway.
func (q *Queue) Ready() error {
	if q.away.Load() {
		return ErrAway
	}
	for _, why := range []*string{q.full.Load(), q.packed.Load()} {
		if why != nil {
			return errors.New(*why)
		}
	}
	if q.Dir == "" {
		return nil
	}
	if free, err := osfile.Free(q.Dir); err == nil && free < q.Room {
		return fmt.Errorf("queue: %s: %d MiB are free: expected at least %d MiB", q.Dir, free>>20, q.Room>>20)
	}
	return nil
}

// watch opens JetStream again after it could not write, as soon as there is room: a stream
// with such an error takes no more messages (as of nats-server 2.12).
func (q *Queue) watch() {
	for q.run.Err() == nil {
		l := q.at.Load()
		select {
		case <-q.run.Done():
			return
		case <-l.log.broken.Done():
		}
		why := fmt.Sprintf("queue: %s: JetStream cannot write: %s", q.Dir, l.log.last())
		q.full.Store(&why)
		if q.run.Err() != nil {
			return
		}
		q.Log.Error("no new items are taken until there is room", "error", why)
		for wait := time.Second; ; sleep(q.run, wait) {
			if q.run.Err() == nil && !q.writable() {
				continue
			}
			l.close()
			next, err := q.dial(q.run)
			if q.run.Err() != nil {
				if next != nil {
					next.close()
				}
				return
			}
			if err == nil {
				q.at.Store(next)
				break
			}
			q.Log.Error("JetStream does not start again", "error", err)
		}
		q.full.Store(nil)
		q.Log.Warn("there is room: new items are taken again")
		q.reconnected()
	}
}

// writable reports whether there is room and the disk writes. NATS must not start before: an
// error of the disk while it reads its streams can end the process (nats-server 2.15,
// newFileStore unlocks a nil store).
func (q *Queue) writable() bool {
	if free, err := osfile.Free(q.Dir); err == nil && free < q.Room {
		return false
	}
	f, err := os.Create(filepath.Join(q.Dir, "probe"))
	if err != nil {
		return false
	}
	_, err = f.WriteString("probe")
	return errors.Join(err, f.Sync(), f.Close(), os.Remove(f.Name())) == nil
}

// ask writes to the cluster every second. A machine that is cut off the others answers reads,
// and does not say that it can store nothing.
func (q *Queue) ask() {
	for last := time.Now(); ; {
		if sleep(q.run, time.Second); q.run.Err() != nil {
			return
		}
		ctx, cancel := context.WithTimeout(q.run, answerTime/2)
		_, err := q.link().states.kv.Put(ctx, "server."+token(q.Name), nil)
		cancel()
		switch {
		case err == nil:
			last = time.Now()
			if q.away.Swap(false) {
				q.Log.Warn("NATS stores again: new items are taken again")
				q.reconnected()
			}
		case q.run.Err() == nil && time.Since(last) >= answerTime && !q.away.Swap(true):
			q.Log.Error("no new items are taken until NATS stores again", "error", err)
		}
	}
}

// measure looks how full the streams are, every so often. One that is nearly full takes no new
// items, so that those that were accepted can end. Half of the results and states can make
// room: those that are so old that nobody waits for them any more, or their items are made
// again.
func (q *Queue) measure() {
	tick := time.NewTicker(q.AckWait / 3)
	defer tick.Stop()
	ages := map[string]time.Duration{q.names.stream(resultStream): q.Stall,
		"KV_" + q.names.stream(stateBucket): 10 * q.Stall}
	for {
		select {
		case <-q.run.Done():
			return
		case <-tick.C:
		}
		var why *string
		l := q.link()
		all := l.js.ListStreams(q.run)
		for info := range all.Info() {
			name, used, most := info.Config.Name, int64(info.State.Bytes), info.Config.MaxBytes
			of, own := strings.CutPrefix(strings.TrimPrefix(name, "KV_"), q.names.stream(""))
			if _, needed := shares[of]; !own || !needed || most <= 0 {
				continue // a bucket that is full refuses what it is for, and judging goes on
			}
			if age, ok := ages[name]; ok && used > most/2 {
				if err := trim(q.run, l.js, info, time.Now().Add(-age)); err != nil && q.run.Err() == nil {
					q.Log.Warn("a stream is not made smaller", "stream", name, "error", err)
				}
			}
			if used > most-most/8 {
				text := fmt.Sprintf("queue: stream %s has %d KiB: expected at most %d, 7/8 of its share of the disk",
					name, used>>10, (most-most/8)>>10)
				why = &text
			}
		}
		if all.Err() != nil {
			continue // of a server that is away
		}
		switch before := q.packed.Swap(why); {
		case before == nil && why != nil:
			q.Log.Error("no new items are taken until there is room", "error", *why)
		case before != nil && why == nil:
			q.Log.Warn("there is room: new items are taken again")
		}
	}
}

// A link is a connection to JetStream, and its server if it is in this process.
type link struct {
	nats    *server.Server // nil if external
	log     *serverLog
	conn    *nats.Conn
	js      jetstream.JetStream
	items   jetstream.Stream
	results jetstream.Stream
	entries *mirror
	forgot  atomic.Bool // the consumers were made anew, and know nothing of what workers have
	states  states
	events  jetstream.ConsumeContext
}

func (q *Queue) link() *link { return q.at.Load() }

// dial opens a link.
func (q *Queue) dial(ctx context.Context) (*link, error) {
	l := &link{log: &serverLog{log: q.Log}}
	l.log.broken, l.log.end = context.WithCancel(context.Background())
	var err error
	if q.Dir != "" {
		err = l.embed(q)
	}
	if err == nil {
		err = l.connect(ctx, q)
	}
	if err == nil && q.URL != "" {
		err = rights(l.conn, q.names, q.URL)
	}
	for err == nil {
		// A cluster that elects its leaders does not answer in time.
		if err = l.prepare(ctx, q); err == nil || q.URL == "" || !IsAway(err) || ctx.Err() != nil {
			break
		}
		q.Log.Warn("the streams are not ready; they are asked for again", "error", err)
		err = denied(l.conn, q.names, q.URL)
	}
	if err == nil {
		err = l.listen(ctx, q)
	}
	if err != nil {
		l.close()
		return nil, err
	}
	return l, nil
}

func (l *link) close() {
	l.log.end()
	if l.events != nil {
		l.events.Stop()
	}
	if l.conn != nil {
		l.conn.Close()
	}
	if l.nats != nil {
		l.nats.Shutdown()
		l.nats.WaitForShutdown()
	}
}

// embed starts a NATS server in this process, which listens nowhere. Its space is bounded by
// Queue.Ready; what it would choose itself refuses to start with little space.
func (l *link) embed(q *Queue) (err error) {
	l.nats, err = server.NewServer(&server.Options{
		ServerName: "crucible", DontListen: true,
		JetStream: true, JetStreamMaxStore: 1 << 50, StoreDir: filepath.Join(q.Dir, "nats"),
		SyncInterval: q.SyncInterval, SyncAlways: q.Durable,
		NoSigs: true, NoLog: true, DisableJetStreamBanner: true,
	})
	if err != nil {
		return fmt.Errorf("queue: %w", err)
	}
	l.nats.SetLoggerV2(l.log, false, false, false)
	l.nats.Start()
	for end := time.Now().Add(30 * time.Second); !l.nats.ReadyForConnections(100 * time.Millisecond); {
		if l.log.fatal.Load() || time.Now().After(end) {
			return fmt.Errorf("queue: the server in %s is not ready: %s", q.Dir, l.log.last())
		}
	}
	return nil
}

// reconnected makes sweep compare the open items with the stream.
func (q *Queue) reconnected() {
	select {
	case q.again <- struct{}{}:
	default:
	}
}

// connect connects to NATS, and waits while no server answers.
func (l *link) connect(ctx context.Context, q *Queue) error {
	options := []nats.Option{
		nats.Name("crucible"), nats.MaxReconnects(-1),
		nats.ReconnectWait(200 * time.Millisecond), nats.ReconnectJitter(200*time.Millisecond, time.Second),
		nats.PingInterval(10 * time.Second), nats.MaxPingsOutstanding(2), nats.IgnoreAuthErrorAbort(),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { q.Log.Warn("nats", "error", err) }),
		nats.ReconnectHandler(func(*nats.Conn) { q.reconnected() }),
	}
	if l.nats != nil {
		options = append(options, nats.InProcessServer(l.nats))
	}
	if q.Credentials != "" {
		options = append(options, nats.UserCredentials(q.Credentials))
	}
	var said time.Time
	for {
		conn, err := nats.Connect(q.URL, options...)
		if err == nil {
			l.conn = conn
			return l.checkVersion(q.URL)
		}
		if !errors.Is(err, nats.ErrNoServers) {
			if errors.Is(err, nats.ErrAuthorization) {
				err = fmt.Errorf("%w: expected the credentials of a user with --nats-creds", err)
			}
			return fmt.Errorf("queue: %s: %w", q.URL, err)
		}
		if time.Since(said) > time.Minute {
			said = time.Now()
			q.Log.Warn("no server of NATS answers; the connection is tried again and again", "url", q.URL)
		}
		if sleep(ctx, 500*time.Millisecond); ctx.Err() != nil {
			return fmt.Errorf("queue: %s: %w", q.URL, err)
		}
	}
}

// least is the oldest version of a NATS server: earlier ones lose messages that were synced
// (nats-server#8475).
var least = []int{2, 15}

// checkVersion refuses servers that are too old.
func (l *link) checkVersion(url string) error {
	var found []int
	for part := range strings.SplitSeq(l.conn.ConnectedServerVersion(), ".") {
		n, _ := strconv.Atoi(part)
		found = append(found, n)
	}
	if slices.Compare(found, least) < 0 {
		return fmt.Errorf("queue: %s: NATS server %s: expected %d.%d or later", url, l.conn.ConnectedServerVersion(),
			least[0], least[1])
	}
	return nil
}

// keepStates is how long the states of items are kept: longer than a lease, after which nobody
// waits for a verdict.
const keepStates = 2 * time.Hour

// prepare creates the streams and the buckets that do not exist, and mends the others.
func (l *link) prepare(ctx context.Context, q *Queue) (err error) {
	if l.js, err = jetstream.New(l.conn, jetstream.WithDefaultTimeout(answerTime)); err != nil {
		return err
	}
	items := l.half(q, itemStream, q.names.items(), jetstream.StreamConfig{
		Description: "work items that have no verdict", Retention: jetstream.WorkQueuePolicy})
	results := l.half(q, resultStream, q.names.results(), jetstream.StreamConfig{
		Description: "partial results and verdicts, for the submitters", MaxAge: time.Hour})
	for _, h := range []*half{items, results, l.bucketHalf(q, stateBucket)} {
		if err == nil {
			err = h.drop(ctx, l)
		}
	}
	l.items, l.results = items.Stream, results.Stream
	if err == nil {
		l.states.kv, err = l.bucket(ctx, q, stateBucket, 0)
	}
	l.entries = l.mirror(q, "")
	if err == nil {
		var renewed bool
		if renewed, err = l.entries.mend(ctx, l, q.Log); renewed {
			q.renewed.Store(true)
		}
	}
	buckets := make(map[string]bool)
	streams := l.js.StreamNames(ctx)
	for name := range streams.Name() {
		for _, prefix := range []string{"KV_" + q.names.stream(""), q.names.stream(copyStream) + "_"} {
			if of, ok := strings.CutPrefix(name, prefix); ok && of != stateBucket && of != entryStream {
				buckets[strings.ToLower(of)] = true
			}
		}
	}
	err = cmp.Or(err, streams.Err())
	for name := range buckets {
		if err == nil {
			_, err = l.mirror(q, name).mend(ctx, l, q.Log)
		}
	}
	if err != nil {
		return fmt.Errorf("queue: streams: %w", err)
	}
	return nil
}

// mirror returns that of a bucket, or of the entries for "".
func (l *link) mirror(q *Queue, bucket string) *mirror {
	age, of, m := time.Duration(0), strings.ToUpper(bucket), new(mirror)
	if m.bucket = bucket; bucket == "" {
		age, of, bucket = q.Keep, entryStream, "entries"
		m.main = l.half(q, of, q.names.entries(), jetstream.StreamConfig{
			Description: "judgements", MaxAge: age, MaxMsgsPerSubject: 1})
	} else {
		m.main = l.bucketHalf(q, of)
	}
	m.copies = l.half(q, copyStream+"_"+of, q.names.copies(bucket), jetstream.StreamConfig{
		Description: "copies, for disks that change what they have", MaxAge: age, MaxMsgsPerSubject: 1})
	return m
}

// half returns a stream with the subjects after a prefix.
func (l *link) half(q *Queue, of, prefix string, c jetstream.StreamConfig) *half {
	h := &half{name: q.names.stream(of), prefix: prefix}
	h.open = func(ctx context.Context, least int64) (jetstream.Stream, error) {
		return l.stream(ctx, q, of, prefix, c, least)
	}
	return h
}

// bucketHalf returns the stream of a bucket.
func (l *link) bucketHalf(q *Queue, of string) *half {
	name := q.names.stream(of)
	h := &half{name: "KV_" + name, prefix: "$KV." + name + "."}
	h.open = func(ctx context.Context, least int64) (jetstream.Stream, error) {
		if _, err := l.bucket(ctx, q, of, least); err != nil {
			return nil, err
		}
		return l.js.Stream(ctx, h.name)
	}
	return h
}

// stream returns a stream with the subjects after a prefix, and creates it if there is none.
func (l *link) stream(ctx context.Context, q *Queue, of, prefix string, c jetstream.StreamConfig, least int64) (
	s jetstream.Stream, err error) {
	c.Name, c.Subjects, c.Replicas = q.names.stream(of), []string{prefix + ">"}, q.Replicas
	// In a cluster, any replica would answer then, also one that lacks the last messages.
	c.AllowDirect = l.nats != nil
	c.Storage, c.Discard, c.MaxMsgSize = jetstream.FileStorage, jetstream.DiscardNew, MaxMessage
	if strings.HasPrefix(of, copyStream) {
		c.MaxMsgSize = -1 // as buckets have it
	}
	// Nothing relies on this window: a second copy is refused by its subject.
	c.Duplicates = 100 * time.Millisecond
	if c.MaxBytes, err = share(ctx, l.js, q.Bytes, of, c.Name, least); err == nil {
		s, err = l.js.CreateOrUpdateStream(ctx, c)
	}
	return s, refused(ctx, l.js, q.Replicas, c.Name, c.MaxBytes, err)
}

// bucket returns a bucket.
func (l *link) bucket(ctx context.Context, q *Queue, of string, least int64) (jetstream.KeyValue, error) {
	c := jetstream.KeyValueConfig{Bucket: q.names.stream(of), Replicas: q.Replicas}
	if of == stateBucket {
		c.TTL = min(q.Keep, keepStates)
	}
	var err error
	if c.MaxBytes, err = share(ctx, l.js, q.Bytes, of, "KV_"+c.Bucket, least); err != nil {
		return nil, err
	}
	kv, err := l.js.CreateOrUpdateKeyValue(ctx, c)
	return kv, refused(ctx, l.js, q.Replicas, "KV_"+c.Bucket, c.MaxBytes, err)
}

// listen receives the events of this submitter, and what others cancel.
func (l *link) listen(ctx context.Context, q *Queue) error {
	_, err := l.conn.Subscribe(q.names.cancelled(), func(m *nats.Msg) {
		sequence, item, _ := strings.Cut(string(m.Data), " ")
		if n, err := strconv.ParseUint(sequence, 10, 64); err == nil {
			q.forget(n, item)
		}
	})
	if err != nil {
		return fmt.Errorf("queue: %w", err)
	}
	consumer, err := l.js.OrderedConsumer(ctx, q.names.stream(resultStream), jetstream.OrderedConsumerConfig{
		FilterSubjects: []string{q.names.results() + token(q.Name) + ".*"},
		// A consumer that is lost before its first message begins here again. With DeliverNew it
		// would leave out what came meanwhile.
		DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: l.results.CachedInfo().State.LastSeq + 1,
	})
	if err == nil {
		l.events, err = consumer.Consume(func(m jetstream.Msg) { q.event(m.Subject(), m.Data()) },
			jetstream.PullHeartbeat(2*time.Second), jetstream.PullExpiry(10*time.Second))
	}
	if err != nil {
		return fmt.Errorf("queue: %s: %w", q.names.stream(resultStream), err)
	}
	return l.conn.Flush()
}

func sleep(ctx context.Context, t time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(t):
	}
}

// serverLog passes warnings and errors of the embedded server to a slog.Logger.
type serverLog struct {
	log    *slog.Logger
	mu     sync.Mutex
	text   string
	fatal  atomic.Bool     // the server has given up
	broken context.Context // ends after an error of the disk
	end    context.CancelFunc
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
	if level == slog.LevelError && strings.Contains(strings.ToLower(text), "critical write error") {
		l.end()
	}
	l.log.Log(context.Background(), level, "nats: "+text)
}

func (l *serverLog) Noticef(string, ...any)         {}
func (l *serverLog) Debugf(string, ...any)          {}
func (l *serverLog) Tracef(string, ...any)          {}
func (l *serverLog) Warnf(format string, v ...any)  { l.note(slog.LevelWarn, format, v) }
func (l *serverLog) Errorf(format string, v ...any) { l.note(slog.LevelError, format, v) }
func (l *serverLog) Fatalf(format string, v ...any) {
	l.note(slog.LevelError, format, v)
	l.fatal.Store(true)
}
