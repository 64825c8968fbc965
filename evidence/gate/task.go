package gate

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/acta-git/acta/evidence/lang"
)

// tasks reads the words of what runs tasks by their names: a check for each. ok: it is such a runner.
func tasks(words []string) (all []check, ok bool) {
	names := words[1:]
	world := "js"
	switch words[0] {
	case "npm", "pnpm", "yarn", "bun":
		return npmTask(words)
	case "mvn", "mvnw":
		return mavenTask(words), true
	case "gradle", "gradlew", "gradlew.bat":
		return gradleTasks(names), true
	case "run-s", "run-p", "npm-run-all", "npm-run-all2":
		words[0] = "script"
	case "make", "gmake", "nmake":
		world, words[0] = "", "make"
	case "rake", "just", "task", "invoke", "inv", "composer", "ant", "mage", "grunt", "gulp", "nx", "turbo", "poe":
		world = ""
	default:
		return nil, false
	}
	all = tasksOf(words[0], world, names)
	if all == nil && words[0] == "rake" && firstArgument(names) == "" { // what it does by itself is to test
		all = []check{{tool: tool{forAll, world}, name: "rake", args: names}}
	}
	return all, true
}

// gradleTasks reads a call of Gradle, of any module. Its task `build` runs all checks on its way.
func gradleTasks(names []string) []check {
	all := tasksOf("gradle", "jvm", names)
	for i := range all {
		if strings.HasSuffix(":"+strings.TrimPrefix(all[i].name, "gradle "), ":build") {
			all[i].purpose = forTests
		}
	}
	return all
}

// tasksOf are the checks among the tasks that a runner is given.
func tasksOf(runner, world string, names []string) (all []check) {
	var options []string
	for _, w := range names {
		if strings.HasPrefix(w, "-") || strings.Contains(w, "=") {
			options = append(options, w)
		}
	}
	for i, w := range names {
		if w == "" || strings.HasPrefix(w, "-") || strings.Contains(w, "=") || i > 0 && valuedTask(names[i-1]) {
			continue
		}
		if p := purposeOf(w); p != "" {
			all = append(all, check{tool: tool{p, world}, name: runner + " " + w, args: options})
		}
	}
	return all
}

// valuedTask reports an option of a task runner whose value is the next word.
func valuedTask(option string) bool {
	return slices.Contains([]string{"-C", "-f", "-x", "--exclude-task", "--tests", "-p", "-j"}, option)
}

// npmTask reads a script of package.json that is run, whichever program runs it.
func npmTask(words []string) ([]check, bool) {
	args := words[1:]
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		n := 1
		if slices.Contains([]string{"-C", "-w", "--filter", "-F", "--prefix", "--workspace", "--cwd", "--dir"}, args[0]) {
			n = 2
		}
		args = args[min(n, len(args)):]
	}
	if len(args) > 1 && (args[0] == "run" || args[0] == "run-script" || args[0] == "workspace" && len(args) > 2) {
		args = args[1:]
		for len(args) > 1 && strings.HasPrefix(args[0], "-") {
			args = args[1:]
		}
	}
	if len(args) == 0 || args[0] == "i" || args[0] == "ci" || args[0] == "config" || args[0] == "cache" {
		return nil, true
	}
	if t, name, ok := named(append([]string{words[0]}, args...)); ok && t.purpose == forSecurity {
		return []check{{tool: t, name: name, args: args[1:]}}, true
	}
	if t, name, ok := named(args); ok && words[0] != "npm" {
		return []check{{tool: t, name: name, args: args[1:]}}, true
	}
	name := args[0]
	if name == "t" || name == "tst" {
		name = "test"
	}
	p := purposeOf(name)
	if p == "" {
		return nil, true
	}
	return []check{{tool: tool{p, "js"}, name: "script " + name, args: args[1:]}}, true
}

// mavenTask reads a call of Maven. Its later phases run the tests on their way.
func mavenTask(words []string) []check {
	c := check{tool: tool{forBuild, "jvm"}, name: "mvn compile"}
	var goals []check
	for _, w := range words[1:] {
		if goal, _, _ := strings.Cut(w, "@"); strings.Contains(goal, ":") && goal[0] != '-' && purposeOf(goal) != "" {
			goals = append(goals, check{tool: tool{purposeOf(goal), "jvm"}, name: "mvn " + goal})
			continue
		}
		c.args = append(c.args, w)
		switch w {
		case "test", "verify", "install", "package", "integration-test", "deploy":
			c.purpose, c.name = forTests, "mvn"
		}
	}
	return append(goals, c)
}

//go:embed purposes.txt
var purposesText string

// namedFor is an entry of purposes.txt.
type namedFor struct {
	names lang.Pattern
	purpose
}

// purposes are those of purposes.txt, in its order.
var purposes = sync.OnceValue(func() (all []namedFor) {
	for _, w := range lang.Table(purposesText) {
		of := strings.TrimSuffix(strings.TrimSuffix(w.Word, ":"), "none")
		all = append(all, namedFor{lang.Lazy(strings.Join(w.When, "")), purpose(of)})
	}
	return all
})

// purposeOf is what a script, target or job of a name is for, as far as the name tells.
func purposeOf(name string) purpose {
	for _, p := range purposes() {
		if p.names.MatchString(name) {
			return p.purpose
		}
	}
	return ""
}
