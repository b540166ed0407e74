package sheet

import (
	"testing"
)

// A value closer to a bound than two digits show gets enough digits to show on
// which side of the bound it is.
func TestMarginsAreNotRoundedOverWhatIsWanted(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{atLeastTimes(1.9996, 2), "1.9996x"}, {atLeastTimes(2, 2), "2.00x"}, {atLeastTimes(1.4999, 1.5), "1.4999x"}, {atLeastTimes(12.96, 2), "12.9x"},
		{ofLimit(0.9996), "0.9996"}, {ofLimit(1), "1.00"}, {ofLimit(1.002), "1.002"}, {ofLimit(0.5), "0.50"}, {ofLimit(0.05), "0.05"},
		{measuredTimes(1), "1x"}, {measuredTimes(13), "13.0x"},
	} {
		if tt.got != tt.want {
			t.Errorf("%s, expected %s", tt.got, tt.want)
		}
	}
}
