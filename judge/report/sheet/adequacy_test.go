package sheet

import (
	"strings"
	"testing"
)

func TestAroundChange(t *testing.T) {
	long := "int main(){ios::sync_with_stdio(false);" + strings.Repeat("x", 100)
	for _, tt := range []struct{ old, changed, wantOld, wantChanged string }{
		{"i < n", "i <= n", "i < n", "i <= n"},
		{long + "s=(s+a)%k;}", long + "s=(s-a)%k;}", "…xxxxxxxxs=(s+a)%k;}", "…xxxxxxxxs=(s-a)%k;}"},
		{"a" + long, "b" + long, "aint main(){ios::sync_with_stdio(false);xxx…", "bint main(){ios::sync_with_stdio(false);xxx…"},
	} {
		old, changed := aroundChange(tt.old, tt.changed)
		if old != tt.wantOld || changed != tt.wantChanged {
			t.Errorf("aroundChange(%q, %q) = %q, %q; expected %q, %q", tt.old, tt.changed, old, changed, tt.wantOld, tt.wantChanged)
		}
	}
}
