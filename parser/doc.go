// Package parser turns the bytes of a commit message into a [Message]: title,
// trailers, report and evidence, each value with its span. It is pure: bytes
// in, values out, no file, no git, no clock.
//
// # What is read
//
//	ACT: M01/S01/T02 password login
//
//	Login and logout work against the session store.
//
//	Done: Add login method | src/auth.py:42-58#login
//	Done: Remove the old endpoint | -src/legacy.py:10-40
//	Skipped: Add session management | Reusing the existing SessionManager
//	Outcome: success
//
// The title is the first line: «ACT: <unit> [summary]» or «ADAPT: …», in upper
// case. A trailer «Act:», «Adapt:» or «For:» says the same under any subject. Its
// value is the unit alone, or begins with what looks like the key of one. Beside a
// report (Done, Skipped, Pending, Ran, Report, Outcome or a task list) a title in
// the body, «ACT: T01 login», and «Act: auth login» count as well, where nothing
// surer names a unit; the title also beside lines that only look like a report.
// Marks around a unit, «[T01],» or «#T01:», are not its own.
//
// The trailer block, [Message.Trailers], is what git prints for
// `git log --format='%(trailers:only,unfold)'` under default configuration.
//
// The report is more forgiving. It is every paragraph after the first that opens
// with a report key (Done, Skipped, Pending, Ran, Report, Outcome, Actor,
// Session, Reason, Tier, Waive, Weakened, Accepted, Act, Adapt, For, Observation,
// Reopen, Replan, Reassess; in any case) or with a task-list line, and the trailer block. In such a paragraph:
//
//   - the indentation that its lines share does not count;
//   - «key:» begins a value, a line without that form continues the value above;
//   - a line of that form continues the value above all the same when it is a
//     place such as Makefile:3 after a comma or a bar, when it holds the « | »
//     that the value above still lacks, or when it is a URL;
//   - an indented line begins a value only with Done:, Skipped:, Pending:,
//     Waive:, Weakened:, Accepted: or Outcome:, written so;
//   - «(cherry picked from commit …)», «This reverts commit …» and an
//     attribution line that begins with a robot sign end the value above;
//   - so does any line below a value that is whole, if it does not go on with it:
//     evidence whose places are all well formed, «none» and the like, one word
//     after Outcome:, Tier:, Actor:, Session:, Report: or the name of a unit, a run
//     with its exit code;
//   - «Done:», «Skipped:» and «Pending:» with nothing, «none», «nothing», «n/a» or
//     «-» report nothing.
//
// Task-list lines, «- [x] item | evidence», «- [-] item | reason» and
// «- [ ] item», are read in every paragraph but the first; a number may stand for
// the bullet, and a tick for the x. A byte order mark is skipped. Comment lines (a '#'
// in the first column), everything from a scissors line on, an old-style
// Conflicts block at the end and everything after a NUL byte are never read,
// as in git.
//
// # What always holds
//
// [Parse] never fails and never panics; what is wrong with the bytes is in [Message.Invalid]. [Message.String] is the
// input, byte for byte. Every [Text] but that of a trailer is its span with each line trimmed of white space, comment
// lines and empty lines dropped, and the lines joined by one space. Key and Value of a [Trailer] are unfolded as git
// does it: trimmed, and a newline with the white space after it is one space. White space is space, tab, carriage
// return and newline. A [Text] without a value is zero, but for an empty item, place or trailer value: its span is
// empty and says where. The time taken is linear in the input.
//
// # Limits
//
// [MaxMessage], [maxReportFile], [maxClaims], [maxParts] and [maxEvidence] bound
// hostile input. What lies beyond one is never dropped in silence: it is a
// [Defect], an error, or an [Evidence] with Err set.
//
// # Non-goals
//
// No judgement: whether a unit exists, a path is there or an outcome is a known
// word is for others. No other comment character than '#', no other separator
// than ':', no trailer.* configuration: a commit must read the same on every machine.
package parser
