package lang

import "testing"

func TestWhatAStatementDoesForATestOfThePlatform(t *testing.T) {
	for statement, want := range map[string]Effect{
		"assertTrue(true);": Vacuous, "Assertions.assertEquals(1, 1);": Vacuous, "assert true;": Vacuous, "assertThat(true).isTrue();": Vacuous,
		"assertThat(1).isEqualTo(1);": Vacuous, "assertThat(1, is(1));": Vacuous, "org.junit.Assert.assertNull(null);": Vacuous,
		"assumeTrue(false);": Skipping, "Assumptions.assumeTrue(false, \"later\");": Skipping, "Assumptions.abort();": Skipping,
		"assertTrue(x);": Effective, "assertThat(1).isEqualTo(x);": Effective, "assertThat(1).isEqualTo(1).isPositive();": Effective,
		"assertThat(x).isTrue();": Effective, "assert x;": Effective, "assertTrue(true).andRun();": Effective, "assumeTrue(os());": Effective,
		"assertThat(1, is(2));": Effective, "assertAll();": Effective,
	} {
		if got := JVMEffect(statement); got != want {
			t.Errorf("%s: %v, want %v", statement, got, want)
		}
	}
}
