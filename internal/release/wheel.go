package main

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
)

// wheelName is the distribution of a program: acta_git, acta_git_serve.
func wheelName(program string) string {
	return strings.ReplaceAll(strings.Replace(program, "acta", "acta-git", 1), "-", "_")
}

func wheelFile(p platform, program string) string {
	return fmt.Sprintf("%s-%s-py3-none-%s.whl", wheelName(program), version, strings.Join(p.wheelTags, "."))
}

// wheel packs an executable as a script of a distribution, which pip puts on PATH.
func (r *release) wheel(p platform, program string, file member) error {
	prefix := wheelName(program) + "-" + version
	info := prefix + ".dist-info/"
	file.name = prefix + ".data/scripts/" + file.name
	metadata := "Metadata-Version: 2.1\nName: " + strings.ReplaceAll(wheelName(program), "_", "-") + "\nVersion: " +
		version + "\nSummary: Holds coding agents to what they say they did\nLicense: Apache-2.0\n" +
		"Project-URL: Source, https://github.com/acta-git/acta\n"
	tags := "Wheel-Version: 1.0\nGenerator: acta-release " + version + "\nRoot-Is-Purelib: false\n"
	for _, tag := range p.wheelTags {
		tags += "Tag: py3-none-" + tag + "\n"
	}
	members := []member{file, {info + "METADATA", 0o644, []byte(metadata)}, {info + "WHEEL", 0o644, []byte(tags)}}
	record := ""
	for _, m := range members {
		sum := sha256.Sum256(m.data)
		record += fmt.Sprintf("%s,sha256=%s,%d\n", m.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(m.data))
	}
	data, err := r.zipped(append(members, member{info + "RECORD", 0o644, []byte(record + info + "RECORD,,\n")}))
	if err != nil {
		return err
	}
	return r.write(wheelFile(p, program), data)
}
