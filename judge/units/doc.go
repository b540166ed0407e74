// Package units writes sizes, durations and scores as people read them.
package units
