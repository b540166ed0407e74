//go:build linux

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"crucible/judge/serve/api"
)

// longestDelay is how long a message may wait while others overtake it.
const longestDelay = 50 * time.Millisecond

// A shuffler is between a worker and the queue. While it is on, it delays each message of
// both sides by a random time, so that they arrive in another order.
type shuffler struct {
	on     atomic.Bool
	moved  atomic.Int64 // messages that were delayed
	listen net.Listener
	far    atomic.Pointer[string] // address of the queue
}

// newShuffler starts a shuffler.
func newShuffler() (*shuffler, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &shuffler{listen: l}
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", *s.far.Load())
			if err != nil {
				near.Close()
				continue
			}
			go s.pass(near, far)
			go s.pass(far, near)
		}
	}()
	return s, nil
}

// admit replaces the address of the queue in the answer to the registration of a worker.
func (s *shuffler) admit(r *http.Response) error {
	var a api.Admission
	err := json.NewDecoder(r.Body).Decode(&a)
	r.Body.Close()
	if err != nil {
		return err
	}
	far := strings.TrimPrefix(a.Queue, "nats://")
	s.far.Store(&far)
	a.Queue = "nats://" + s.listen.Addr().String()
	data, err := json.Marshal(&a)
	if err != nil {
		return err
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(data)), int64(len(data))
	r.Header.Set("Content-Length", strconv.Itoa(len(data)))
	return nil
}

// pass passes on what one side sends, until one of them ends.
func (s *shuffler) pass(to, from net.Conn) {
	defer to.Close()
	defer from.Close()
	var writing sync.Mutex
	write := func(data []byte) error {
		writing.Lock()
		defer writing.Unlock()
		_, err := to.Write(data)
		return err
	}
	in := bufio.NewReader(from)
	for {
		data, message, err := readOperation(in)
		if err != nil {
			return
		}
		if message && s.on.Load() {
			s.moved.Add(1)
			time.AfterFunc(rand.N(longestDelay), func() { write(data) }) // the other end notices an error
			continue
		}
		if err := write(data); err != nil {
			return
		}
	}
}

// readOperation reads one operation of the protocol of NATS, and reports whether it is a
// message: PUB and HPUB of clients, MSG and HMSG of servers. Only these have a payload, of
// the size in the last word of their line.
func readOperation(in *bufio.Reader) (data []byte, message bool, err error) {
	line, err := in.ReadBytes('\n')
	if err != nil {
		return nil, false, err
	}
	words := strings.Fields(string(line))
	if len(words) == 0 {
		return line, false, nil
	}
	switch words[0] {
	case "PUB", "HPUB", "MSG", "HMSG":
	default:
		return line, false, nil
	}
	size, err := strconv.Atoi(words[len(words)-1])
	if err != nil || size < 0 || size > 2<<20 {
		return nil, false, fmt.Errorf("%.100q: expected the size of a payload at the end", line)
	}
	data = append(line, make([]byte, size+len("\r\n"))...)
	_, err = io.ReadFull(in, data[len(line):])
	return data, true, err
}
