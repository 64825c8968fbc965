package evidence

import "testing"

// TestATestThatCannotFail: a test that no behaviour of the code can make fail is unclear; one that looks like it, and
// can fail, is not.
func TestATestThatCannotFail(t *testing.T) {
	const unclear = "unclear evidence_unclear"
	for _, c := range []struct{ name, src, want string }{
		// what it finds is only logged
		{"a_test.go", "package a\n\nimport \"testing\"\n\nfunc TestEvicts(t *testing.T) {\n\tc := NewLRU(2)\n\tc.Put(\"a\", 1)\n" +
			"\tif _, ok := c.Get(\"a\"); ok {\n\t\tt.Log(\"a is still there\")\n\t}\n}\n", unclear},
		{"a_test.go", "package a\n\nimport \"testing\"\n\nfunc TestEvicts(t *testing.T) {\n\tc := NewLRU(2)\n\tc.Put(\"a\", 1)\n" +
			"\tif _, ok := c.Get(\"a\"); ok {\n\t\tt.Error(\"a is still there\")\n\t}\n}\n", "verified"},
		{"test_a.py", "def test_bench(app):\n    low = 9\n    for i in range(3):\n        took = app.call(i)\n" +
			"        if took < low:\n            low = took\n    print(low)\n", "verified"},
		{"a_test.go", "package a\n\nimport \"testing\"\n\nfunc TestLoad(t *testing.T) {\n\tgot := Load(\"a\")\n" +
			"\tif testing.Verbose() {\n\t\tt.Log(got)\n\t}\n\tsame(t, got, 1)\n}\n", "verified"},
		{"a.rs", "#[test]\n#[should_panic]\nfn fails() {\n    let p = Parser::new(\"<\");\n    if let Ok(a) = p.parse() {\n" +
			"        let _ = a;\n    }\n}\n", "verified"},
		// nobody waits for the promise
		{"a.test.js", "it('rejects', () => {\n  login('a').then((r) => {\n    expect(r.ok).toBe(false);\n  });\n});\n", unclear},
		{"a.test.js", "it('rejects', () => {\n  return login('a').then((r) => {\n    expect(r.ok).toBe(false);\n  });\n});\n", "verified"},
		{"a.test.js", "it('rejects', () => login('a').then((r) => {\n  expect(r.ok).toBe(false);\n}));\n", "verified"},
		{"a.test.js", "it('rejects', (done) => {\n  login('a').then((r) => {\n    expect(r.ok).toBe(false);\n    done();\n  });\n});\n", "verified"},
		{"a.test.js", "it('rejects', () => {\n  login('a').then((r) => {\n    expect(r.ok).toBe(false);\n  });\n  http.flush();\n});\n", "verified"},
		{"a.cy.js", "it('rejects', () => {\n  cy.get('a').then((r) => {\n    expect(r.ok).to.equal(false);\n  });\n});\n", "verified"},
		// only doubles answer
		{"ATest.java", "class ATest {\n    @Test\n    void total() {\n        Shop shop = mock(Shop.class);\n" +
			"        when(shop.total(any())).thenReturn(Money.FIVE);\n        assertEquals(Money.FIVE, shop.total(new Order()));\n    }\n}\n", unclear},
		{"ATest.java", "class ATest {\n    @Test\n    void total() {\n        Rates rates = mock(Rates.class);\n" +
			"        when(rates.of(any())).thenReturn(Rate.HALF);\n        assertEquals(Money.of(5), new Shop(rates).total(new Order()));\n    }\n}\n", "verified"},
		{"ATests.cs", "public class ATests {\n    [Fact]\n    public async Task Rejects() {\n        var shop = new Mock<IShop>();\n" +
			"        shop.Setup(s => s.PlaceAsync(It.IsAny<Order>())).ReturnsAsync(Outcome.Rejected);\n" +
			"        var got = await shop.Object.PlaceAsync(new Order());\n        Assert.Equal(Outcome.Rejected, got);\n    }\n}\n", unclear},
		// a length is never below 0
		{"test_a.py", "def test_drains():\n    q = Queue()\n    q.push(1)\n    assert len(q.drain()) >= 0\n", unclear},
		{"test_a.py", "def test_drains():\n    q = Queue()\n    q.push(1)\n    assert len(q.drain()) >= 1\n", "verified"},
		{"test_a.py", "def test_drains():\n    q = Queue()\n    q.drain()\n    assert q.count >= 0\n", "verified"},
		// a failure is what was to be shown, but its absence is none
		{"ATests.swift", "final class ATests: XCTestCase {\n    func testThrows() {\n        let parser = Parser()\n        do {\n" +
			"            _ = try parser.parse(\"<\")\n        } catch {\n            XCTAssertNotNil(error)\n        }\n    }\n}\n", unclear},
		{"ATests.swift", "final class ATests: XCTestCase {\n    func testThrows() {\n        let parser = Parser()\n        do {\n" +
			"            _ = try parser.parse(\"<\")\n            XCTFail(\"no error\")\n        } catch {\n" +
			"            XCTAssertNotNil(error)\n        }\n    }\n}\n", "verified"},
		// of two tests, one has an expectation without a matcher, and one asserts nothing
		{"a_spec.rb", "RSpec.describe A do\n  it \"rejects\" do\n    expect { redeem(1) }\n  end\n\n  it \"takes\" do\n    redeem(2)\n  end\nend\n", unclear},
		{"a_spec.rb", "RSpec.describe A do\n  it \"rejects\" do\n    expect { redeem(1) }.to raise_error\n  end\n\n  it \"takes\" do\n    redeem(2)\n  end\nend\n", "verified"},
	} {
		expectAll(t, "The rules of the shop are tested", c.name, c.src, c.want)
	}
}
