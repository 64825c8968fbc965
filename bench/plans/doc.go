// Command plans counts what acta verify says of ticked boxes of histories, as they are and over hollowed code.
package main
