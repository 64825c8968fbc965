// Package score turns verdicts into points, and points into a standing: the day's
// score, the target that it is held to, the tiers of penalty and reward, the
// interval of the heartbeat.
//
// It is a replay and nothing else: events in, numbers out, integers only, no
// clock, no files. The order in which events arrive and how often the same one
// does make no difference. A key pays once, whoever cites it how often; the target never falls.
//
// Where events come from (landed ACT commits, the audit log, feedback, the
// heartbeat), which actor they belong to, and what a key is are the business of packages above.
package score
