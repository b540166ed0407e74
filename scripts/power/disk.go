package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"slices"
	"sync"
)

// A disk is the disk of the guest, which is served by the NBD protocol. Like a real one it has a
// cache: what is written is lost with the power, or in part, until the guest has flushed it.
//
// It never writes what it has cached by itself, and of sectors that were written several times
// only the last contents can be left after a cut. 4 KiB are written as a whole or not at all: a
// superblock of ext4 of which a part is written is damaged for good.
type disk struct {
	file *os.File
	size int64

	mu      sync.Mutex
	cache   map[int64][]byte // sectors that are not flushed, by number
	off     bool
	flushes int
	written chan struct{} // closed by the first write since the power is on
}

const sector = 512

// errOff ends the connection of a guest whose power is off.
var errOff = errors.New("the power is off")

// on starts the disk again.
func (d *disk) on() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.cache, d.off, d.flushes, d.written = make(map[int64][]byte), false, 0, make(chan struct{})
}

// cut is a loss of power: of the sectors in the cache, a share survives. It returns how many were
// lost.
func (d *disk) cut(random *rand.Rand, share float64) (lost int, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.off = true
	numbers := make([]int64, 0, len(d.cache))
	for n := range d.cache {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers) // the seed decides
	last, survives := int64(-1), false
	for _, n := range numbers {
		if n/8 != last {
			last, survives = n/8, random.Float64() < share
		}
		if !survives {
			delete(d.cache, n)
			lost++
		}
	}
	return lost, d.flush()
}

// flush writes the cache. The caller holds d.mu.
func (d *disk) flush() error {
	for n, data := range d.cache {
		if _, err := d.file.WriteAt(data, n*sector); err != nil {
			return err
		}
		delete(d.cache, n)
	}
	return nil
}

// read reads whole sectors.
func (d *disk) read(data []byte, at int64) error {
	if _, err := d.file.ReadAt(data, at); err != nil {
		return err
	}
	for i := 0; i < len(data); i += sector {
		if cached := d.cache[(at+int64(i))/sector]; cached != nil {
			copy(data[i:], cached)
		}
	}
	return nil
}

// write writes whole sectors to the cache.
func (d *disk) write(data []byte, at int64) {
	for i := 0; i < len(data); i += sector {
		d.cache[(at+int64(i))/sector] = data[i : i+sector]
	}
	select {
	case <-d.written:
	default:
		close(d.written)
	}
}

// Numbers of the NBD protocol.
const (
	optionMagic, optionReply = 0x49484156454f5054, 0x3e889045565a9
	requestMagic, replyMagic = 0x25609513, 0x67446698

	optionGo                               = 7
	replyAck, replyInfo, replyUnknown      = 1, 3, 1<<31 + 1
	canFlush                               = 1 | 4
	doRead, doWrite, doDisconnect, doFlush = 0, 1, 2, 3
)

// serve serves one connection at a time: a guest has one.
func (d *disk) serve(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		if err := d.agree(c); err == nil {
			if err = d.requests(c); err != errOff && err != io.EOF {
				fmt.Fprintln(os.Stderr, "power: the disk:", err)
			}
		}
		c.Close()
	}
}

// agree refuses each option of a client until it wants to begin.
func (d *disk) agree(c net.Conn) error {
	c.Write([]byte("NBDMAGICIHAVEOPT\x00\x03")) // fixed newstyle, without zeroes
	var flags uint32
	if err := binary.Read(c, binary.BigEndian, &flags); err != nil {
		return err
	}
	for {
		var o struct {
			Magic        uint64
			Option, Size uint32
		}
		if err := binary.Read(c, binary.BigEndian, &o); err != nil {
			return err
		}
		if _, err := io.CopyN(io.Discard, c, int64(o.Size)); err != nil || o.Magic != optionMagic {
			return errors.Join(err, errors.New("expected an option of NBD"))
		}
		type reply struct {
			Magic              uint64
			Option, Kind, Size uint32
		}
		if o.Option != optionGo {
			if err := binary.Write(c, binary.BigEndian, reply{optionReply, o.Option, replyUnknown, 0}); err != nil {
				return err
			}
			continue
		}
		return binary.Write(c, binary.BigEndian, struct {
			Info  reply
			Kind  uint16
			Size  uint64
			Flags uint16
			Ack   reply
		}{reply{optionReply, optionGo, replyInfo, 12}, 0, uint64(d.size), canFlush,
			reply{optionReply, optionGo, replyAck, 0}})
	}
}

// requests answers requests one after the other, so that a flush is of all that was answered.
func (d *disk) requests(c net.Conn) error {
	for {
		var r struct {
			Magic       uint32
			Flags, Kind uint16
			Cookie, At  uint64
			Size        uint32
		}
		if err := binary.Read(c, binary.BigEndian, &r); err != nil {
			return err
		}
		end := r.At + uint64(r.Size)
		if r.Magic != requestMagic || end > uint64(d.size) || end%sector != 0 || r.At%sector != 0 {
			return fmt.Errorf("request %+v: expected whole sectors of %d bytes", r, d.size)
		}
		var data []byte
		if r.Kind == doRead || r.Kind == doWrite {
			data = make([]byte, r.Size)
		}
		if r.Kind == doWrite {
			if _, err := io.ReadFull(c, data); err != nil {
				return err
			}
		}
		if err := d.do(r.Kind, data, int64(r.At)); err != nil {
			return err
		}
		if r.Kind != doRead {
			data = nil
		}
		head := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, replyMagic<<32), r.Cookie)
		if _, err := c.Write(append(head, data...)); err != nil {
			return err
		}
	}
}

// do does what a request asks for, if the power is on.
func (d *disk) do(kind uint16, data []byte, at int64) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.off:
		return errOff
	case kind == doRead:
		return d.read(data, at)
	case kind == doWrite:
		d.write(data, at)
		return nil
	case kind == doFlush:
		d.flushes++
		return d.flush()
	case kind == doDisconnect:
		return io.EOF
	}
	return fmt.Errorf("request %d: expected a read, write or flush", kind)
}
