// Package postgres keeps the ledger of many repositories in PostgreSQL: a row a
// verdict, as `acta verify --report` tells them.
//
// What a verdict pays is settled when it arrives, in the same transaction and
// however late it comes, and so is what each day of an actor adds up to. A
// question reads a few of those days and resumes the replay there. The numbers are
// those of the repositories themselves, see ledger.Repositories, for the same
// verdicts; a test holds it to that.
package postgres
