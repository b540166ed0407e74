package main

import (
	"bufio"
	"fmt"
	"os"
)

type ListNode struct {
	Val  int
	Next *ListNode
}

func reverse(head *ListNode) *ListNode {
	if head == nil || head.Next == nil {
		return head
	}
	p := reverse(head.Next) // seeded: recursion
	head.Next.Next = head
	head.Next = nil
	return p
}

func main() {
	in := bufio.NewReader(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var n int
	fmt.Fscan(in, &n)
	dummy := &ListNode{}
	tail := dummy
	for i := 0; i < n; i++ {
		node := &ListNode{}
		fmt.Fscan(in, &node.Val)
		tail.Next = node
		tail = node
	}
	for p := reverse(dummy.Next); p != nil; p = p.Next {
		fmt.Fprintln(out, p.Val)
	}
}
