// Package parser turns the bytes of a commit message into a [Message]: title, trailers, report and evidence, each value
// with its span. It is pure: bytes in, values out, no file, no git, no clock. docs/format.md describes what is read.
//
// The trailer block, [Message.Trailers], is what git prints for `git log --format='%(trailers:only,unfold)'` under
// default configuration. The report is more forgiving: it is that block, and every paragraph after the first that opens
// with a report key or a task-list line. In such a paragraph:
//
//   - the indentation that its lines share does not count;
//   - «key:» begins a value; a line without that form continues the value above, unless that is whole;
//   - a line of that form continues the value above all the same when it is a place such as Makefile:3 after a comma or
//     a bar, when it holds the « | » that the value above still lacks, or when it is a URL;
//   - an indented line begins a value only with Done:, Skipped:, Pending:, Waive:, Weakened:, Accepted: or Outcome:,
//     written so;
//   - git's marks of picks and reverts, and an attribution line that begins with a robot sign, end the value above.
//
// Task-list lines are read in every paragraph but the first. Comment lines, everything from a scissors line on, an
// old-style Conflicts block at the end and everything after a NUL byte are never read, as in git.
//
// [Parse] never fails and never panics; what is wrong with the bytes is in [Message.Invalid]. [Message.String] is the
// input, byte for byte. Every [Text] but that of a trailer is its span with each line trimmed of white space, comment
// lines and empty lines dropped, and the lines joined by one space. Key and Value of a [Trailer] are unfolded as git
// does it. A [Text] without a value is zero, but for an empty item, place or trailer value: its span is empty and says
// where. The time taken is linear in the input. What lies beyond a limit is never dropped in silence: it is a
// [Defect], an error, or an [Evidence] with Err set.
//
// It does not judge: whether a unit exists, a path is there or an outcome is a known word is for others. It knows no
// other comment character than '#' and no trailer.* configuration: a commit must read the same on every machine.
package parser
