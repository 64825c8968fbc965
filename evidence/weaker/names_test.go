package weaker_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/acta-git/acta/evidence/weaker"
)

func TestNames(t *testing.T) {
	for path, c := range map[string]struct{ src, want string }{
		"tests/test_a.py": {`import pytest

@pytest.mark.parametrize("n", [1])
def test_x(n):
    assert n

class TestA:
    def test_in(self):
        assert 1

@parameterized.expand([1])
def test_e(n):
    assert n
`, "3-5 [] test_x\n8-9 [TestA] test_in\n11-13 [] test_e open"},
		"a_test.go": {`package a

import "testing"

func TestX(t *testing.T) {
	t.Run("sub", func(t *testing.T) {})
}

func (s *Suite) TestY() { s.Equal(1, 1) }
`, "5-7 [] TestX\n9-9 [Suite] TestY"},
		"a.test.js": {`describe('sum', () => {
  describe('of two', () => {
    it('adds', () => { expect(1).toBe(1) })
  })
  it.each([1])('takes %d', (n) => { expect(n).toBe(1) })
})
test('alone', () => { expect(1).toBe(1) })
`, "3-3 [sum of two] adds titled\n5-5 [sum] takes %d titled open\n7-7 [] alone titled"},
		"src/test/java/x/LoginTest.java": {`package x;
class LoginTest {
  @Test
  void works() { assertTrue(a()); }
}
`, "3-4 [LoginTest] works"},
		"tests/LoginTest.php": {`<?php
class LoginTest extends TestCase {
    /**
     * @test
     */
    public function works() { $this->assertTrue(a()); }
}
`, "3-6 [LoginTest] works"},
		"src/a.rs": {`fn f() {}
#[cfg(test)]
mod tests {
    #[test]
    fn works() { assert_eq!(1, super::f()); }
}
`, "4-5 [tests] works"},
	} {
		t.Run(path, func(t *testing.T) {
			tree := treeOf(map[string]string{path: c.src})

			named, err := weaker.Tests(t.Context(), tree, path)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, n := range named {
				said := fmt.Sprintf("%d-%d %v %s", n.Line, n.EndLine, n.Groups, n.Name)
				if n.IsTitled {
					said += " titled"
				}
				if n.HasUnknownName {
					said += " open"
				}
				got = append(got, said)
			}
			if got := strings.Join(got, "\n"); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}
