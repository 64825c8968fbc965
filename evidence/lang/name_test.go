package lang

import (
	"fmt"
	"testing"
)

func TestANameIsSplitIntoWords(t *testing.T) {
	for name, want := range map[string]string{
		"NoOpLogger": "[no op logger]", "HTTPMock": "[http mock]", "_null_user": "[null user]", "nopCloser": "[nop closer]",
		"Nullable": "[nullable]", "X": "[x]", "": "[]", "__": "[]", "GrößeMock": "[größe mock]", "A1B": "[a1 b]",
	} {
		if got := fmt.Sprint(Words(name)); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}

func TestANameSaysThatItsMembersDoNothingOrAreLeftToOthers(t *testing.T) {
	for name, want := range map[string]struct{ standsIn, abstract bool }{
		"NoopTracer": {true, false}, "NoOpTracer": {true, false}, "nopCloser": {true, false}, "LoggerNoop": {true, false}, "LoggerNoOp": {true, false},
		"nullUser": {true, false}, "DummyCache": {true, false}, "MockStore": {true, false}, "ClockFake": {true, false}, "_StubX": {true, false},
		"Nullable": {false, false}, "Mocking": {false, false}, "Session": {false, false}, "Snoop": {false, false}, "": {false, false},
		"BaseStore": {false, true}, "AbstractStore": {false, true}, "StoreBase": {false, true}, "_StoreMixin": {false, true}, "StoreInterface": {false, true},
		"Database": {false, false}, "Baseline": {false, false}, "Interfaces": {false, false},
	} {
		if NamesTestDouble(name) != want.standsIn || IsAbstractName(name) != want.abstract {
			t.Errorf("%q: %v, %v", name, NamesTestDouble(name), IsAbstractName(name))
		}
	}
}
