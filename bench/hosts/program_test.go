package hosts

import (
	"fmt"
	"os"
	"path/filepath"
)

// program is a host as it is fetched from npm: one file of this package each.
type program interface {
	// id is acta's name of the host.
	id() string
	// module is the package and the version that is driven.
	module() string
	// files are what must lie in its HOME, by their paths from there, with what a model's address is put into.
	files(r run) map[string]string
	// command is how it is started for one prompt: the words behind npm's folder, and what is in its environment
	// besides. With resume the session that was there last goes on.
	command(r run, prompt string, resume bool) (words, env []string)
	// step is what its model answers so that the agent does something.
	step(a action) Step
}

// programs are those that are driven.
func programs() []program {
	return []program{claude{}, codex{}, gemini{}, copilot{}, qwen{}, opencode{}}
}

// run is where a program runs.
type run struct {
	// npm is the folder that the program was fetched to, home its own HOME, top the work tree, url its model.
	npm, home, top, url string
}

// action is what an agent does: one of these.
type action struct {
	shell string
	// write is a path from the top of the work tree, and content what is put there.
	write, content string
	// read is the path of a file that is read: some hosts let nobody edit one before.
	read string
	// edit is the path of a file in which old becomes content.
	edit, old string
	todos     []string
	say       string
}

// write writes the program's files.
func (r run) write(files map[string]string) error {
	for name, text := range files {
		file := filepath.Join(r.home, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// bin is a file of a package.
func (r run) bin(path string) string {
	return filepath.Join(r.npm, "node_modules", filepath.FromSlash(path))
}

// file is a path of the work tree as tools take it.
func (r run) file(name string) string { return filepath.Join(r.top, name) }

// statuses are those that todos are given in turn, by how many there are: all but the last are completed.
func statuses(todos []string, list func(i int, text, status string) map[string]any) (all []any) {
	for i, t := range todos {
		status := "completed"
		if i == len(todos)-1 {
			status = "in_progress"
		}
		all = append(all, list(i, t, status))
	}
	return all
}

// settings is a text of JSON with values put in.
func settings(form string, values ...any) string { return fmt.Sprintf(form, values...) }
