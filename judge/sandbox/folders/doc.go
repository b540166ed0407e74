// Package folders copies folders into and out of a sandbox. What a program has left
// in a folder is hostile: copies are bounded, and symbolic links are not followed.
package folders
