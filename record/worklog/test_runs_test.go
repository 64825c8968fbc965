package worklog

import "testing"

func TestTestRunsAreTold(t *testing.T) {
	for command, want := range map[string]bool{
		"pytest":                    true,
		"pytest -q tests/test_a.py": true,
		"python -m pytest -x":       true,
		"python3.12 -W error -m unittest discover": true,
		"/usr/bin/pytest":                          true,
		"./node_modules/.bin/jest --ci":            true,
		"go test ./...":                            true,
		"go -C sub test ./...":                     true,
		"npm test":                                 true,
		"npm --prefix web run test:task":           true,
		"npm run lint":                             false,
		"yarn test":                                true,
		"pnpm -r test":                             true,
		"npx vitest run":                           true,
		"npx --yes jest":                           true,
		"bun test":                                 true,
		"cargo +nightly test --all":                true,
		"cargo nextest run":                        true,
		"cargo build":                              false,
		"mvn -q clean verify":                      true,
		"./mvnw test":                              true,
		"mvn package":                              false,
		"./gradlew :app:test --info":               true,
		"gradle clean check":                       true,
		"make -j4 test":                            true,
		"make clean all":                           false,
		"dotnet test --no-build":                   true,
		"ctest --output-on-failure":                true,
		"bundle exec rspec spec/a_spec.rb":         true,
		"rake test":                                true,
		"bin/rails test":                           true,
		"vendor/bin/phpunit":                       true,
		"php artisan test":                         true,
		"mix test":                                 true,
		"swift test":                               true,
		"deno test -A":                             true,
		"tox -e py312":                             true,
		"python manage.py test app":                true,
		"node --test":                              true,
		"prove -lr t":                              true,
		"sh run_tests.sh":                          true,
		"./run-tests":                              true,

		"cd src && pytest -q":                            true,
		"cd src; FOO=1 BAR='a b' pytest":                 true,
		"env -u A FOO=1 go test ./...":                   true,
		"timeout 60 go test ./...":                       true,
		"timeout -k 5 60s pytest":                        true,
		"uv run --with x pytest -q":                      true,
		"poetry run pytest":                              true,
		"time nice -n 5 make check":                      true,
		"sudo -u app npm test":                           true,
		"pytest -q 2>&1 | tail -20":                      true,
		"if ! pytest; then echo no; fi":                  true,
		"bash -lc 'cd a && go test ./b'":                 true,
		"(cd web && npm test)":                           true,
		"go vet ./... && go test -count=1 ./... || true": true,
		"\"pytest\" -q":                                  true,

		"":                            false,
		"go":                          false,
		"cat tests/x":                 false,
		"ls test":                     false,
		"test -f a":                   false,
		"[ -f test ]":                 false,
		"echo pytest":                 false,
		"echo 'go test ./...'":        false,
		"grep -r pytest .":            false,
		"pip install pytest":          false,
		"which pytest":                false,
		"pytest --version":            false,
		"npm test --help":             false,
		"go help test":                false,
		"go run ./cmd/x test":         false,
		"go tool test2json":           false,
		"git commit -m 'npm test'":    false,
		"git log --grep=test":         false,
		"npm install --save-dev jest": false,
		"npm run build -- test":       false,
		"docker build -t test .":      false,
		"x=$(go test ./...)":          false, // what a substitution runs is not listed
		"cat <<E\npytest\nE\n":        false,
		"vim tests/test_a.py":         false,
		"python test.py":              false,
		"it's no shell":               false,
		"pytest it's":                 true, // no shell, and yet a runner
	} {
		if got := IsTestRun(command, nil); got != want {
			t.Errorf("%q: got %v", command, got)
		}
	}
}

func TestAPolicyNamesItsTestRuns(t *testing.T) {
	patterns := []string{"bin/verify", "acme check*", "make ... e2e|smoke"}
	for command, want := range map[string]bool{
		"bin/verify": true, "./bin/verify --fast": true, "other/verify": false, "acme -v check:all": true, "acme build": false,
		"make clean smoke": true, "cd x && timeout 5 make e2e": true, "pytest": false,
	} {
		if got := IsTestRun(command, patterns); got != want {
			t.Errorf("%q: got %v", command, got)
		}
	}
}
