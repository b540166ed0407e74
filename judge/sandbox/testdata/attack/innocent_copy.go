// cmd: scratch
// least: process
// want: exit=0 exceeded=none output=33000
// What the library does with the kernel's help, it does without: copies from a
// socket to a pipe, a socket and a file, from a file to a file and to stdout.
package main

import (
	"bytes"
	"io"
	"net"
	"os"
	"syscall"
)

func main() {
	text := bytes.Repeat([]byte("innocent\n"), 1000)
	socket := func() (a, b net.Conn) {
		pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
		check(err)
		var ends [2]net.Conn
		for i := range ends {
			f := os.NewFile(uintptr(pair[i]), "socket")
			ends[i], err = net.FileConn(f)
			check(err)
			f.Close()
		}
		return ends[0], ends[1]
	}
	send := func() net.Conn {
		a, b := socket()
		go func() {
			a.Write(text)
			a.Close()
		}()
		return b
	}
	copied := func(to io.Writer, from io.Reader) {
		n, err := io.Copy(to, from)
		check(err)
		if n != int64(len(text)) {
			panic("copied in part")
		}
	}
	copied(os.Stdout, send()) // socket to pipe
	file, err := os.Create("file")
	check(err)
	copied(file, send())
	_, err = file.Seek(0, io.SeekStart)
	check(err)
	other, err := os.Create("other")
	check(err)
	copied(other, file)
	_, err = other.Seek(0, io.SeekStart)
	check(err)
	copied(os.Stdout, other)
	// Socket to socket.
	a, b := socket()
	go func() {
		copied(a, send())
		a.Close()
	}()
	copied(os.Stdout, b)
	r, w, err := os.Pipe()
	check(err)
	go func() {
		w.Write(text[:6000])
		w.Close()
	}()
	_, err = io.Copy(os.Stdout, r)
	check(err)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
