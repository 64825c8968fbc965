package host

import (
	"os"
	"testing"
)

// What a hook answers must not depend on how busy the machine is that tests run on.
func TestMain(m *testing.M) {
	timeFactor = 60
	home, err := os.MkdirTemp("", "acta-bench-")
	if err != nil {
		panic(err)
	}
	preparedHome = home
	code := m.Run()
	_ = os.RemoveAll(home)
	os.Exit(code)
}
