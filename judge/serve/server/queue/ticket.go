package queue

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
)

// A ticket names a delivery. The dispatcher signs it, so that a worker can neither
// make one nor change it, and any dispatcher can serve any worker.
type ticket struct {
	Worker   string `json:"w"`
	Item     string `json:"i"`
	Cell     string `json:"c"`
	From     string `json:"f"`
	Ack      string `json:"a"`
	Sequence uint64 `json:"s"` // of the item in the stream
	Attempt  int    `json:"n,omitempty"`
	Revision uint64 `json:"r,omitempty"` // of the cell at the start of the attempt
	Until    int64  `json:"u,omitempty"` // Unix time in seconds: the end of Item.Limit
}

// ticketOf names the delivery of an item that has not been started.
func ticketOf(worker string, p *parcel) ticket {
	return ticket{Worker: worker, Item: p.item.ID, Cell: p.item.Cell, From: p.item.From, Ack: p.msg.Reply(),
		Sequence: p.sequence}
}

// sign writes the ticket with its signature, in letters that need no quoting.
func (t *ticket) sign(secret []byte) string {
	text, err := json.Marshal(t)
	if err != nil {
		panic(err) // strings and numbers
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write(text)
	return base64.RawURLEncoding.EncodeToString(mac.Sum(text))
}

var errTicket = errors.New("queue: the delivery was not made by this queue, or for another worker")

// readTicket reads what sign wrote for the worker.
func readTicket(s string, secret []byte, worker string) (ticket, error) {
	var t ticket
	raw, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil || len(raw) < sha256.Size {
		return t, errTicket
	}
	text, sum := raw[:len(raw)-sha256.Size], raw[len(raw)-sha256.Size:]
	mac := hmac.New(sha256.New, secret)
	mac.Write(text)
	if !hmac.Equal(mac.Sum(nil), sum) || json.Unmarshal(text, &t) != nil || t.Worker != worker {
		return ticket{}, errTicket
	}
	return t, nil
}
