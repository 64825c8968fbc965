package lang

import (
	"strings"
	"testing"
)

func TestAVariantIsOneOfTheBranchesOfACondition(t *testing.T) {
	for src, want := range map[string]bool{
		"here":                                                                    false,
		"#if A\nhere\n#endif":                                                     false,
		"#if A\nx\n#else\nhere\n#endif":                                           true,
		"#if A\nhere\n#else\nx\n#endif":                                           true,
		"#ifdef A\n#elif B\nhere\n#endif":                                         true,
		"#if A\n#else\n#endif\nhere":                                              false,
		"#if A\n#if B\n#else\n#endif\nhere\n#endif":                               false,
		"#if A\nhere\n#if B\n#else\n#endif\n#endif":                               false,
		"#if A\n#else\n# if B\nhere\n# endif\n#endif":                             true,
		"#ifndef A\nhere\n#endif":                                                 true,
		"#if !defined(A)\nhere\n#endif":                                           true,
		"#ifndef A_H\n#define A_H\n\nhere\n#endif":                                false,
		"#ifndef A_H\n\n#define A_H 1\nhere\n#endif":                              false,
		"#ifndef A_H\n#define A_H\n#if B\n#else\nhere\n#endif\n#endif":            true,
		"  #  if A\r\nhere\r\n  #  else\r\n#endif":                                true,
		"// #if A\nhere\n#else\n#endif":                                           false,
		"#if A\n" + strings.Repeat("x\n", directiveReach) + "#else\nhere\n#endif": true,
		"#if A\n#else\n" + strings.Repeat("x\n", directiveReach) + "here\n#endif": false,
	} {
		if got := IsVariant([]byte(src), strings.Index(src, "here")); got != want {
			t.Errorf("%q: %v", src, got)
		}
	}
}
