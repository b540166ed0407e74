package sandbox

import "context"

// A Runner runs one program under limits and reports what happened. An error means
// that the Runner itself failed. [Sandbox] implements Runner.
type Runner interface {
	Run(context.Context, Cmd) (Outcome, error)
}

// ProtectionOf returns how far a Runner confines programs; it is empty if the
// Runner does not say.
func ProtectionOf(r Runner) Protection {
	if p, ok := r.(interface{ Protection() Protection }); ok {
		return p.Protection()
	}
	return Protection{}
}
