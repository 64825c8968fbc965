#!/usr/bin/env node
// Runs the executable of the package for this platform. Git's hooks name the executable itself, and start no node.
"use strict";

const { spawnSync } = require("node:child_process");
const path = require("node:path");

const program = path.basename(__filename, ".js");
const name = `@acta-git/${program}-${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? `${program}.exe` : program;

let executable;
try {
  executable = require.resolve(`${name}/bin/${file}`);
} catch {
  console.error(`${program}: the package ${name} is not installed
    it comes with ${"@acta-git/" + program} unless optional dependencies are left out (--omit=optional),
    or there is none for this platform: docs/install.md says how to build from source`);
  process.exit(3);
}

const run = spawnSync(executable, process.argv.slice(2), { stdio: "inherit" });
if (run.error) {
  console.error(`${program}: ${executable} could not be run: ${run.error.message}`);
  process.exit(3);
}
if (run.signal) process.kill(process.pid, run.signal);
else process.exitCode = run.status;
