// Package results reads test and coverage reports. Bytes in, plain values out. The content decides the format, never
// the file's name. It opens no file and knows nothing of claims, and must never import check or judge.
package results
