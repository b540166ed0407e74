package cli

import (
	"crucible/judge"
	"crucible/judge/record"
)

// A Distortion is what judge doctor --parallel has measured on a machine. It is kept
// beside the compiled programs.
type Distortion struct {
	Machine    record.Machine `json:"machine"`
	Jobs       int            `json:"jobs"`       // programs that ran at once
	Distortion float64        `json:"distortion"` // as in judge.Judge
}

const distortionFile = "parallel.json"

// Save keeps the distortion for later calls of the judge.
func (d *Distortion) Save(j *judge.Judge) error { return saveCalibration(j, distortionFile, d) }

// measuredDistortion returns what was measured on this machine for at least as many
// programs as the judge runs at once. With fewer, the default is the minimum. It returns
// 0, which is the default, if nothing was measured.
func measuredDistortion(j *judge.Judge) float64 {
	var d Distortion
	switch {
	case !loadCalibration(j, distortionFile, &d), !SameMachine(d.Machine, record.ThisMachine()), !(d.Distortion > 0):
		return 0
	case d.Jobs < j.Workers():
		return max(d.Distortion, judge.DefaultDistortion)
	}
	return d.Distortion
}

// SameMachine reports whether a and b may describe the same machine.
func SameMachine(a, b record.Machine) bool {
	return a.OS == b.OS && a.Arch == b.Arch && a.CPU == b.CPU && a.Cores == b.Cores
}
