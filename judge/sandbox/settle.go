package sandbox

// settle sets Exceeded from the final numbers if no limit was found to be exceeded
// during the run.
func (o *Outcome) settle() {
	switch l := o.Limits; {
	case o.Exceeded != "":
	case l.CPU > 0 && o.CPU > l.CPU:
		o.Exceeded = CPU
	case l.Memory > 0 && o.Memory > l.Memory:
		o.Exceeded = Memory
	case l.Output > 0 && o.Output > l.Output:
		o.Exceeded = Output
	case l.Written > 0 && o.Written > l.Written:
		o.Exceeded = Written
	case l.Files > 0 && o.Files > l.Files:
		o.Exceeded = Files
	case l.Wall > 0 && o.Wall-o.Waited > l.Wall:
		o.Exceeded = Wall
	}
}
