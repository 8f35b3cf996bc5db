#!/usr/bin/env node
// The one file an older Node can read: it must say what is wrong before anything newer is loaded.
// `src/main.ts` is a link to it, so that `node src/main.ts` gets this far on a Node that knows no TypeScript.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  process.stderr.write(
    `dbpm-exporter needs Node 24 or newer and this is ${process.version}: start it with "npm start --", which uses the Node that "npm ci" installed.\n`,
  );
  process.exitCode = 2;
} else {
  import('./cli/program.ts').then(({ runProgram }) => runProgram(process));
}
