package main

import "fmt"

type parser struct {
	text string
	at   int
}

func (p *parser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func (p *parser) sum() int {
	n := p.atom() // want `sum calls itself once for each nested part of the input`
	for p.peek() == '+' {
		p.at += 1
		n += p.atom()
	}
	return n
}

func (p *parser) atom() int {
	if p.peek() == '(' {
		p.at++
		n := p.sum()
		p.at++
		return n
	}
	n := int(p.peek() - '0')
	p.at++
	return n
}

// A search moves its position back.
type search struct {
	text string
	at   int
}

func (s *search) look() byte { return s.text[s.at] }

func (s *search) try(left int) int {
	if left == 0 || s.look() == '.' {
		return 1
	}
	s.at++
	n := s.try(left / 2)
	s.at--
	return n + s.try(left/3)
}

func main() {
	var text string
	fmt.Scan(&text)
	p, s := parser{text: text}, search{text: text}
	fmt.Println(p.sum(), s.try(5))
}
