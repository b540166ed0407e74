// Package blob has content-addressed files: a store on disk, and its HTTP interface.
//
// A blob is named by its [Digest]: the SHA-256 of its bytes and their number. A [Tree]
// is a folder of files as a blob, so that one digest names a problem package. A [Store]
// keeps blobs in a folder of limited size, a [Folder] reads the blobs of files where
// they are, [Handler] serves a store over HTTP, and a [Client] copies blobs to and from
// such a server. The model is the content-addressable storage of the Remote Execution
// API (https://github.com/bazelbuild/remote-apis), with its rule that a client asks
// which blobs are missing before it sends any.
//
// What a digest names never changes. Therefore a transfer can continue after an
// interruption, every copy is as good as another, and nothing has to be written twice.
// Every reader compares bytes with their digest and treats a wrong blob as missing.
package blob
