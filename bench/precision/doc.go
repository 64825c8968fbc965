// Command precision measures how often Acta is wrong about honest work, and how often hollow work passes it.
//
// Its corpus is any folder of git repositories, or of plain sources. Of each repository it rebuilds recent commits as
// ACT commits in a scratch repository: with what they really did as honest claims, and once more with functions of
// theirs hollowed out in every form of forms/. `acta verify` judges them, as in CI. Functions are found by
// universal-ctags and by indentation, never by Acta's own parser, which would agree with itself.
//
// In: repositories. Out: the tables of bench/figures/precision.md, and every claim that was judged otherwise than it
// should be, by place, for a person to read. It imports nothing of Acta.
package main
