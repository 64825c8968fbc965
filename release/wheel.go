package main

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"os"
	"strings"
)

// wheelName is a program's name as a Python distribution, as it stands in the name of a file.
func wheelName(program string) string {
	return strings.ReplaceAll(strings.Replace(program, "acta", "acta-git", 1), "-", "_")
}

func wheelFile(t target, program string) string {
	return fmt.Sprintf("%s-%s-py3-none-%s.whl", wheelName(program), version, strings.Join(t.wheelTags, "."))
}

// wheel writes a wheel that puts an executable beside python's own. Its form is fixed by the binary distribution format
// 1.0: https://packaging.python.org/en/latest/specifications/binary-distribution-format/
func (r release) wheel(t target, program string) error {
	executable, err := os.ReadFile(r.executable(t, program))
	if err != nil {
		return err
	}
	prefix := wheelName(program) + "-" + version
	info := prefix + ".dist-info/"
	members := []member{
		{prefix + ".data/scripts/" + t.file(program), true, executable},
		{info + "METADATA", false, []byte(metadata(program))},
		{info + "WHEEL", false, []byte(wheelTags(t))},
	}
	members = append(members, member{info + "RECORD", false, []byte(record(members, info+"RECORD"))})
	data, err := zipped(members, r.level)
	if err != nil {
		return err
	}
	return r.write(wheelFile(t, program), data)
}

func metadata(program string) string {
	return "Metadata-Version: 2.1\nName: " + strings.ReplaceAll(wheelName(program), "_", "-") + "\nVersion: " + version +
		"\nSummary: Holds coding agents to what they say they did\nLicense: Apache-2.0\n" +
		"Project-URL: Source, https://github.com/acta-git/acta\n"
}

func wheelTags(t target) string {
	var b strings.Builder
	b.WriteString("Wheel-Version: 1.0\nGenerator: acta-release " + version + "\nRoot-Is-Purelib: false\n")
	for _, tag := range t.wheelTags {
		b.WriteString("Tag: py3-none-" + tag + "\n")
	}
	return b.String()
}

// record lists files by digest and size; itself without either.
func record(members []member, own string) string {
	var b strings.Builder
	for _, m := range members {
		sum := sha256.Sum256(m.data)
		fmt.Fprintf(&b, "%s,sha256=%s,%d\n", m.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(m.data))
	}
	return b.String() + own + ",,\n"
}
