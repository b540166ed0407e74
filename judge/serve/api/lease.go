package api

import "encoding/json"

// A Lease is a work item that a worker has until it answers, gives the item back, or says
// nothing for three times Alive.
type Lease struct {
	ID       string          `json:"lease"`
	Delivery int             `json:"delivery"` // the number of workers that have had the item, this one included
	Alive    float64         `json:"alive"`    // seconds from one sign of life to the next
	Stall    float64         `json:"stall"`    // seconds without a result after which another worker gets the item
	Item     json.RawMessage `json:"item"`
}

// Leases are the ids of leases: those that a worker has, or of these the ones that have ended.
type Leases struct {
	IDs []string `json:"leases"`
}

// A Settlement is the answer to the last lines of a work item.
type Settlement struct {
	Counts bool `json:"counts"` // no other worker was first
}

// A Release gives a work item to another worker.
type Release struct {
	Returned bool   `json:"returned,omitempty"` // the worker ends; it has not failed
	Why      string `json:"why"`                // up to 200 bytes are kept
}
