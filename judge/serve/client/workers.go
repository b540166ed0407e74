package client

import (
	"context"
	"io"
	"net/url"

	"crucible/judge/serve/api"
)

// Register registers a worker. Its token has the fingerprint of the client's.
func (c *Client) Register(ctx context.Context, r *api.Registration) (*api.Admission, error) {
	a := new(api.Admission)
	err := c.call(ctx, maxSmall, "POST", "/v1/workers", r, a)
	_, fingerprint, _ := api.SplitToken(c.Token) // New has checked it
	a.Token = api.JoinToken(a.Token, fingerprint)
	return a, err
}

// Remove takes a worker out, and returns it.
func (c *Client) Remove(ctx context.Context, name, because string) (*api.Worker, error) {
	w := new(api.Worker)
	return w, c.call(ctx, maxSmall, "PUT", "/v1/workers/"+url.PathEscape(name)+"/out", &api.Removal{Because: because}, w)
}

// Restore puts a worker back that was taken out by Remove, or because its results differ
// from those of others, and returns it.
func (c *Client) Restore(ctx context.Context, name string) (*api.Worker, error) {
	w := new(api.Worker)
	return w, c.call(ctx, maxSmall, "DELETE", "/v1/workers/"+url.PathEscape(name)+"/out", nil, w)
}

// Workers returns the workers of the server, by their names.
func (c *Client) Workers(ctx context.Context) (all []api.Worker, err error) {
	err = c.call(ctx, maxSmall, "GET", "/v1/workers", nil, &all)
	return all, err
}

// Calibrate sends a calibration of a worker, with the token of that worker.
func (c *Client) Calibrate(ctx context.Context, worker string, k *api.Calibration) (*api.Placement, error) {
	p := new(api.Placement)
	err := c.call(ctx, maxSmall, "PUT", "/v1/workers/"+url.PathEscape(worker)+"/calibration", k, p)
	return p, err
}

// Backup returns the data of the server, a tar.gz, which the caller must close.
func (c *Client) Backup(ctx context.Context) (io.ReadCloser, error) {
	r, err := c.send(ctx, "GET", "/v1/backup", nil)
	if err != nil {
		return nil, err
	}
	return r.Body, nil
}
