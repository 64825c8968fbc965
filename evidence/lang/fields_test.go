package lang

import "testing"

func TestQuotedIsTheContentOfAWholeLiteral(t *testing.T) {
	for src, want := range map[string]string{`"a b"`: "a b", `'a'`: "a", "\n \"a\"": "a", "``": "", `a`: "", `"`: "", `"a'`: "", "": ""} {
		got := Quoted([]byte(src), Span{0, len(src)})
		if text := src[got.Start:got.End]; text != want {
			t.Errorf("%q: %q, want %q", src, text, want)
		}
	}
}

func TestBlankReplacesGroupsAndKeepsTheSource(t *testing.T) {
	p := Lazy(`x(a+)|(b)`)
	src := []byte("xaa b aa")
	if got := string(p.Blank(src)); got != "x     aa" {
		t.Errorf("%q", got)
	}
	if string(src) != "xaa b aa" {
		t.Errorf("the source is now %q", src)
	}
	if none := []byte("c"); &p.Blank(none)[0] != &none[0] {
		t.Error("what matches nothing is copied")
	}
}

func TestAnAssertionOfConstantsCannotFail(t *testing.T) {
	bash := &Language{Name: "bash"}
	for call, want := range map[string]bool{
		"assert.is_nil(nil)": true, "assertNull(null)": true, "assert.truthy(true)": true, "assert.falsy(false)": true,
		"assert.falsy(nil)": true, "assert_nil(x)": false, "assert.same('a', 'b')": false,
		"assertTrue(true)": true, `assertTrue("msg", true)`: true, `assertTrue(true, "msg")`: true, "Assert.IsTrue(true)": true, "assert(true)": true,
		"assert_true(True)": true, "assertFalse(false)": true, "Assert.Null(null)": true, "assertEquals(1, 1)": true, `Assert.AreEqual("a", "a", "msg")`: true,
		`assertSame("msg", 2, 2)`: true, "check(true)": true,
		"assertTrue(1 == 1)": true, "assertEquals(1 + 1, 2)": true, "assertNotNull(1)": true, `assertTrue("a", "b", true)`: true,
		"assertTrue(false)": false, "assertTrue(x)": false, "assertTrue(true && x)": false, "assertTrue(true, x)": false, "assertEquals(1, 2)": false,
		"assertEquals(x, x)": false, "assertEquals(1)": false, "assertNull(x)": false, "assertNotNull(x)": false, `assertTrue("a")`: false, `assertTrue("a", x)`: false, "run(true)": false, "assertTrue()": false,
		"assertTrue(true);": true, "Assertions.assertEquals(1, 1);": true, "assert true;": true, "assertThat(true).isTrue();": true,
		"assertThat(1).isEqualTo(1);": true, "assertThat(1, is(1));": true, "org.junit.Assert.assertNull(null);": true,
		"assertTrue(x);": false, "assertThat(1).isEqualTo(x);": false, "assertThat(1).isEqualTo(1).isPositive();": false,
		"assertThat(x).isTrue();": false, "assert x;": false, "assertTrue(true).andRun();": false,
		"assertThat(1, is(2));": false, "assertAll();": false, "expect(true).to.be.true": true, "expect(1).toBe(1);": true, "expect(1).not.toBe(1)": false,
		"true.Should().BeTrue()": true, "1 shouldBe 1": true, "assert_eq!(1, 2)": false, "assert_eq!(2, 2)": true, "assert !false": true,
		"refute nil": true, "assert :ok == :ok": true, "Assert.That(1, Is.EqualTo(1))": true, "Assert.That(true, Is.True)": true, "[ 1 -eq 2 ]": false,
		"assert.Equal(t, 1, 1)": true, "assert.NotNil(t, 1)": true, `t.is("a", "a")`: true, `expect("a").toBeTruthy()`: true, "assert 1": true, "CHECK_CALLS(3)": false, "self.failUnless(1)": true, "self.failIf(False)": true, `self.fail("x")`: false,
	} {
		if got := bash.cannotFail(call); got != want {
			t.Errorf("%s: %v, want %v", call, got, want)
		}
	}
	if list := "[ 1 ]"; !bash.cannotFail(list) || (&Language{Name: "csharp"}).cannotFail(list) {
		t.Error("brackets are a test in shells alone")
	}
}
