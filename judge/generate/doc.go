// Package generate makes the test data that generators.yaml describes, compares
// it with the data of the package, and makes inputs that grow.
package generate
