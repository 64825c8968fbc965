// Package score turns verdicts into points, and points into a standing: the day's
// score, the target that it is held to, the tiers of penalty and reward, the
// interval of the heartbeat.
//
// It is a replay and nothing else: events in, numbers out, integers only, no
// clock, no files. In which order events arrive, and how often the same one does, makes no difference.
// The same content pays once, whoever cites it and however often; the target never falls.
//
// Where events come from (landed ACT commits, the audit log, feedback, the
// heartbeat), which actor they belong to, and how content gets its key are the business of packages above.
package score
