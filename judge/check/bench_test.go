package check

import (
	"bufio"
	"bytes"
	"io"
	"math/rand/v2"
	"strconv"
	"testing"
)

// The benchmarks compare the validator with two simple loops: one compares tokens
// byte by byte, and one compares bytes without tokens, as cmp does. MB/s count the
// bytes of one of the two texts.

const benchSize = 64 << 20

// numbers returns a text of lines with eight numbers each.
func numbers(size int, number func(*rand.Rand) []byte) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, 0, size+1024)
	for len(b) < size {
		for range 8 {
			b = append(b, number(rng)...)
			b = append(b, ' ')
		}
		b[len(b)-1] = '\n'
	}
	return b
}

func integer(rng *rand.Rand) []byte { return strconv.AppendInt(nil, rng.Int64N(1_000_000_000), 10) }

func float(rng *rand.Rand) []byte { return strconv.AppendFloat(nil, rng.Float64()*1000, 'f', 9, 64) }

var comparisons = []struct {
	name  string
	equal func(answer, output io.Reader) bool
}{
	{"default", func(a, o io.Reader) bool {
		f, err := Rules{}.Check(Case{Answer: a, Output: o})
		return err == nil && f.OK
	}},
	{"tokens", equalTokens},
	{"cmp", equalBytes},
}

// equalTokens compares two texts token by token, and tokens byte by byte.
func equalTokens(answer, output io.Reader) bool {
	a, o := bufio.NewReaderSize(answer, block), bufio.NewReaderSize(output, block)
	next := func(r *bufio.Reader) (byte, bool) {
		c, err := r.ReadByte()
		return c, err == nil
	}
	for {
		x, xok := next(a)
		for xok && space[x] {
			x, xok = next(a)
		}
		y, yok := next(o)
		for yok && space[y] {
			y, yok = next(o)
		}
		if !xok || !yok {
			return xok == yok
		}
		for xok && yok && !space[x] && !space[y] {
			if lower(uint64(x)) != lower(uint64(y)) {
				return false
			}
			x, xok = next(a)
			y, yok = next(o)
		}
		if xok && !space[x] || yok && !space[y] {
			return false
		}
	}
}

// equalBytes compares two texts block by block.
func equalBytes(answer, output io.Reader) bool {
	a, o := make([]byte, block), make([]byte, block)
	for {
		n, err := io.ReadFull(answer, a)
		k, _ := io.ReadFull(output, o)
		if !bytes.Equal(a[:n], o[:k]) {
			return false
		}
		if err != nil {
			return true
		}
	}
}

func BenchmarkDefault(b *testing.B) {
	text := numbers(benchSize, integer)
	texts := []struct {
		name   string
		output []byte
	}{
		{"same", text},
		{"crlf", bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))},
		{"trailing", bytes.ReplaceAll(text, []byte("\n"), []byte(" \n"))},
		{"lines", bytes.ReplaceAll(text, []byte(" "), []byte("\n"))},
	}
	for _, t := range texts {
		for _, c := range comparisons {
			if c.name == "cmp" && t.name != "same" {
				continue
			}
			b.Run("text="+t.name+"/by="+c.name, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					if !c.equal(bytes.NewReader(text), bytes.NewReader(t.output)) {
						b.Fatal("not equal")
					}
				}
			})
		}
	}
}

func BenchmarkDefaultCase(b *testing.B) {
	text := bytes.Repeat([]byte("impossible\nyes\nno\n"), benchSize/18)
	output := bytes.ToUpper(text)
	for _, c := range comparisons[:2] {
		b.Run("by="+c.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if !c.equal(bytes.NewReader(text), bytes.NewReader(output)) {
					b.Fatal("not equal")
				}
			}
		})
	}
}

func BenchmarkDefaultFloats(b *testing.B) {
	rules := mustParse(b, []string{"float_tolerance", "1e-6"})
	text := numbers(benchSize/4, float)
	texts := []struct {
		name   string
		output []byte
	}{
		{"same", text},
		{"last-digit", bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("1 "), []byte("2 ")), []byte("5 "), []byte("6 "))},
		{"every", bytes.ReplaceAll(text, []byte(" "), []byte("0 "))},
	}
	for _, t := range texts {
		b.Run("text="+t.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				f, err := rules.Check(Case{Answer: bytes.NewReader(text), Output: bytes.NewReader(t.output)})
				if err != nil || !f.OK {
					b.Fatal(f.Why, err)
				}
			}
		})
	}
}

// BenchmarkDefaultSmall measures a small case, because most cases are small.
func BenchmarkDefaultSmall(b *testing.B) {
	text := numbers(512, integer)
	b.ReportAllocs()
	for b.Loop() {
		if f, err := (Rules{}).Check(Case{Answer: bytes.NewReader(text), Output: bytes.NewReader(text)}); err != nil || !f.OK {
			b.Fatal(f.Why, err)
		}
	}
}
