package terminal

import (
	"testing"
)

func TestFigures(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Seconds(0), "0 ms"}, {Seconds(1.234e-5), "12.3 µs"}, {Seconds(0.00999), "9.99 ms"}, {Seconds(0.0412), "41.2 ms"}, {Seconds(0.9996), "1.00 s"}, {Seconds(123.4), "123 s"},
		{Share(0.0124), "1.2 %"}, {Share(0.35), "35 %"}, {Share(0.00012), "0.012 %"},
		{Factor(1.0311), "1.031x"}, {Factor(2.006), "2.01x"}, {Factor(31.42), "31.4x"}, {Factor(314.2), "314x"},
		{Number(12), "12.0"}, {Number(1_234_567), "1.23 M"},
	} {
		if c.got != c.want {
			t.Errorf("%q, expected %q", c.got, c.want)
		}
	}
}
