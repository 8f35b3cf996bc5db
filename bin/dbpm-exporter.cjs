#!/usr/bin/env node
// The one file an older Node can read: it must say what is wrong before anything newer is loaded.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 2)) {
  process.stderr.write(
    `dbpm-exporter needs Node 24.2 or newer and this is ${process.version}: start it with "npm start --", which uses the Node that "npm ci" installed.\n`,
  );
  process.exitCode = 2;
} else {
  let hasBegun = false;
  // Whoever is told to stop before anything was begun has stopped; from then on `main` listens too.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGQUIT']) {
    process.on(signal, () => {
      if (!hasBegun) process.exit(0);
    });
  }
  keepCompiled();
  import('../src/main.ts').then(({ main }) => {
    hasBegun = true;
    return main(process);
  });
}

/**
 * Lets Node keep what it compiled, for quicker starts in less memory: no thread then loads the compiler of TypeScript.
 * The folder must be this user's alone, as what is in it is run; where there can be none, all goes on without. A demo
 * leaves nothing behind.
 */
function keepCompiled() {
  const { lstatSync, mkdirSync, mkdtempSync, rmSync } = require('node:fs');
  const { enableCompileCache } = require('node:module');
  const { tmpdir } = require('node:os');
  const { join } = require('node:path');
  try {
    const uid = process.getuid?.();
    const usual = join(tmpdir(), `dbpm-exporter-compiled-${uid}`);
    const isBrief = process.argv[2] === 'demo' && process.env.NODE_COMPILE_CACHE === undefined;
    const folder = isBrief ? mkdtempSync(`${usual}-`) : usual;
    if (isBrief) process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    else mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = lstatSync(folder);
    if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) return;
    // Threads go by the variable.
    process.env.NODE_COMPILE_CACHE ??= folder;
    enableCompileCache(process.env.NODE_COMPILE_CACHE);
  } catch {
    // A read-only machine starts a little slower.
  }
}
