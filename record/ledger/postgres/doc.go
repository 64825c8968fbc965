// Package postgres keeps the ledger of many repositories in PostgreSQL: a row for each verdict that `acta verify
// --report` sends.
//
// Points of a verdict and totals of a day are computed in the transaction that receives it, however late it arrives. A
// query reads a few of those days and resumes the replay there. The numbers equal those of ledger.Repositories for the
// same verdicts; a test checks this.
package postgres
