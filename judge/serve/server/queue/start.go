package queue

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
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
	q := &Queue{Options: o, again: make(chan struct{}, 1), open: make(map[string]*Pending), feeds: make(map[string]*feed),
		leases: make(map[string]*lease), running: make(map[string]*lease),
		cancelled: make(map[uint64]time.Time), presence: make(map[string]*WorkerState)}
	q.room.others = q.others
	q.run, q.cancel = context.WithCancel(context.Background())
	if o.Dir != "" {
		err = q.embed()
	}
	if err == nil {
		err = q.connect(ctx)
	}
	if err == nil {
		err = q.prepare(ctx)
	}
	if err == nil {
		err = q.listen(ctx)
	}
	if err != nil {
		q.Close()
		return nil, err
	}
	q.spawn(q.keep)
	q.spawn(q.sweep)
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
		if q.events != nil {
			q.events.Stop()
		}
		q.tasks.Wait()
		for _, e := range q.room.take(func(*entry) bool { return true }) {
			_ = q.conn.Publish(e.ack, nak) // another process, or the next start, gives it out
		}
		if q.conn != nil {
			_ = q.conn.FlushTimeout(time.Second)
			q.conn.Close()
		}
		for _, p := range q.pending() {
			p.end(nats.ErrConnectionClosed)
		}
		if q.nats != nil {
			q.nats.Shutdown()
			q.nats.WaitForShutdown()
		}
		if q.folder != nil {
			q.folder.Close()
		}
	})
}

// embed starts a NATS server in this process. Two on one folder would destroy its streams.
func (q *Queue) embed() (err error) {
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
	q.nats, err = server.NewServer(&server.Options{
		ServerName: "crucible", DontListen: true,
		JetStream: true, StoreDir: filepath.Join(q.Dir, "nats"), SyncInterval: q.SyncInterval, SyncAlways: q.Durable,
		NoSigs: true, NoLog: true, DisableJetStreamBanner: true,
	})
	if err != nil {
		return fmt.Errorf("queue: %w", err)
	}
	log := &serverLog{log: q.Log}
	q.nats.SetLoggerV2(log, false, false, false)
	q.nats.Start()
	if !q.nats.ReadyForConnections(30 * time.Second) {
		return fmt.Errorf("queue: the server in %s is not ready after 30 s: %s", q.Dir, log.last())
	}
	return nil
}

// connect connects to NATS, and waits while no server answers.
func (q *Queue) connect(ctx context.Context) error {
	options := []nats.Option{
		nats.Name("crucible"), nats.MaxReconnects(-1),
		nats.ReconnectWait(200 * time.Millisecond), nats.ReconnectJitter(200*time.Millisecond, time.Second),
		nats.PingInterval(10 * time.Second), nats.MaxPingsOutstanding(2), nats.IgnoreAuthErrorAbort(),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { q.Log.Warn("nats", "error", err) }),
		nats.ReconnectHandler(func(*nats.Conn) {
			select {
			case q.again <- struct{}{}:
			default:
			}
		}),
	}
	if q.nats != nil {
		options = append(options, nats.InProcessServer(q.nats))
	}
	for {
		conn, err := nats.Connect(q.URL, options...)
		if err == nil {
			q.conn = conn
			return nil
		}
		if !errors.Is(err, nats.ErrNoServers) {
			return fmt.Errorf("queue: %s: %w", q.URL, err)
		}
		q.Log.Warn("no server answers; the connection is tried again", "url", q.URL)
		if sleep(ctx, 500*time.Millisecond); ctx.Err() != nil {
			return fmt.Errorf("queue: %s: %w", q.URL, err)
		}
	}
}

// prepare creates the streams and the bucket that do not exist.
func (q *Queue) prepare(ctx context.Context) error {
	var err error
	q.js, err = jetstream.New(q.conn, jetstream.WithDefaultTimeout(10*time.Second))
	if err == nil {
		q.items, err = q.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
			Name: itemStream, Description: "work items that have no verdict",
			Subjects: []string{itemSubject + ">"}, Retention: jetstream.WorkQueuePolicy,
			Storage: jetstream.FileStorage, Replicas: q.Replicas, AllowDirect: true,
			// Nothing relies on this window: a second copy is refused by its subject.
			Duplicates: 100 * time.Millisecond,
		})
	}
	if err == nil {
		q.results, err = q.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
			Name: resultStream, Description: "partial results and verdicts, for the submitters",
			Subjects: []string{resultSubject + ">"}, MaxAge: time.Hour, MaxBytes: 1 << 30,
			Storage: jetstream.FileStorage, Replicas: q.Replicas, AllowDirect: true,
			Duplicates: 100 * time.Millisecond,
		})
	}
	if err == nil {
		q.states.kv, err = q.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{
			Bucket: stateBucket, Description: "leases and verdicts of items", TTL: q.Keep, Replicas: q.Replicas,
		})
	}
	if err == nil {
		// Nobody waits for these any more: their submitter has ended.
		err = q.items.Purge(ctx, jetstream.WithPurgeSubject(itemSubject+"*."+token(q.Name)+".0.>"))
	}
	if err != nil {
		return fmt.Errorf("queue: streams: %w", err)
	}
	return nil
}

// listen receives the events of this submitter, and what others cancel.
func (q *Queue) listen(ctx context.Context) error {
	_, err := q.conn.Subscribe(cancelSubject, func(m *nats.Msg) {
		sequence, item, _ := strings.Cut(string(m.Data), " ")
		if n, err := strconv.ParseUint(sequence, 10, 64); err == nil {
			q.forget(n, item)
		}
	})
	if err != nil {
		return fmt.Errorf("queue: %w", err)
	}
	consumer, err := q.js.OrderedConsumer(ctx, resultStream, jetstream.OrderedConsumerConfig{
		FilterSubjects: []string{resultSubject + token(q.Name) + ".*"}, DeliverPolicy: jetstream.DeliverNewPolicy,
	})
	if err == nil {
		q.events, err = consumer.Consume(func(m jetstream.Msg) { q.event(m.Subject(), m.Data()) },
			jetstream.PullHeartbeat(2*time.Second), jetstream.PullExpiry(10*time.Second))
	}
	if err != nil {
		return fmt.Errorf("queue: %s: %w", resultStream, err)
	}
	return q.conn.Flush()
}

func sleep(ctx context.Context, t time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(t):
	}
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
