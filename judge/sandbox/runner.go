package sandbox

import "context"

// A Runner runs one program under limits and reports what happened. An error means
// that the Runner itself failed. Run must be safe for concurrent use. A Runner may
// also have a method Protection, see [ProtectionOf]. [Sandbox] implements Runner.
type Runner interface {
	Run(context.Context, Cmd) (Outcome, error)
}

// ProtectionOf returns the result of the Runner's method Protection, or the zero
// Protection if it has no such method.
func ProtectionOf(r Runner) Protection {
	if p, ok := r.(interface{ Protection() Protection }); ok {
		return p.Protection()
	}
	return Protection{}
}
