package check

import (
	"cmp"
	"sync"
)

// The default output validator reads both texts through windows of fixed size. The
// texts are usually equal byte for byte, and equal parts are compared in large
// steps. Only at a difference are tokens compared one by one, and the large steps
// continue after it. This is correct under all rules: equal bytes form equal
// tokens, and a number is within any tolerance of itself.

// A match is the state of one comparison. The texts read so far agree, and either
// both positions are inside the same token or neither is inside a token.
type match struct {
	Rules
	want, got stream
	a, s      number // the numbers compared last, named as in the specification
}

var matches = sync.Pool{New: func() any { return new(match) }}

// Check compares c.Output with c.Answer in constant memory, whatever their length,
// and stops reading soon after the first difference. A reader that is an
// [io.Seeker] may be read twice, to count lines. The error is for a reader that
// failed, and names it. Check is safe for concurrent use.
func (r Rules) Check(c Case) (Finding, error) {
	m := matches.Get().(*match)
	defer matches.Put(m)
	m.Rules = r
	m.want.reset("answer", c.Answer)
	m.got.reset("output", c.Output)
	defer m.want.reset("", nil)
	defer m.got.reset("", nil)
	return m.run()
}

func (m *match) run() (Finding, error) {
	want, got := &m.want, &m.got
	for {
		n := agree(want.unread(), got.unread(), !m.caseSensitive)
		want.pos += n
		got.pos += n
		if want.ended() && want.more() || got.ended() && got.more() {
			continue
		}
		if !m.spaceSensitive {
			i, j := agreeLoosely(want.unread(), got.unread(), !m.caseSensitive, want.inside() && got.inside())
			if i+j > 0 {
				want.pos += i
				got.pos += j
				continue
			}
		}
		if want.ended() || got.ended() { // only then a text can have failed
			if err := cmp.Or(want.failed(), got.failed()); err != nil {
				return Finding{}, err
			}
			if want.ended() && got.ended() {
				return Finding{OK: true}, nil
			}
		}
		if kind, err := m.part(); err != nil {
			return Finding{}, err
		} else if kind != "" {
			return m.finding(kind)
		}
	}
}

// part examines a place where the texts differ, possibly the end of one of them. If
// the rules accept it, part reads past it and returns "".
func (m *match) part() (Kind, error) {
	want, got := &m.want, &m.got
	inside := want.inside() && got.inside()
	switch w, g := want.atToken(), got.atToken(); {
	case !w && !g:
		if m.spaceSensitive {
			return Space, nil
		}
		want.skip()
		got.skip()
		return "", nil
	case w && g || inside:
		if m.floats() {
			return m.number(inside)
		}
		return Differs, nil
	case w && got.ended():
		return Missing, nil
	case g && want.ended():
		return Extra, nil
	case m.spaceSensitive:
		return Space, nil
	case w:
		got.skip()
	default:
		want.skip()
	}
	return "", nil
}

// number compares the tokens at this place as numbers, if the answer's token is a
// number.
func (m *match) number(inside bool) (Kind, error) {
	k := 0 // bytes of both tokens that were already read
	if inside {
		if k = m.want.behind(); k > maxFloat {
			return Differs, nil
		}
	}
	want, err := m.want.token(k)
	if err != nil {
		return "", err
	}
	if !m.a.parse(want) {
		return Differs, nil
	}
	got, err := m.got.token(k)
	if err != nil {
		return "", err
	}
	kind := Kind("")
	switch {
	case !m.s.parse(got):
		kind = NotFloat
	case !m.near(&m.s, &m.a):
		kind = Tolerance
	default:
		m.want.pos += len(want)
		m.got.pos += len(got)
	}
	// A message about a number starts at the number's first byte.
	m.want.pos -= k
	m.got.pos -= k
	return kind, nil
}
