import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { globalSettings } from '../../src/config/setting.ts';
import { readSources } from '../architecture/import-graph.ts';
import { listenOnLoopback } from '../support/loopback-server.ts';
import {
  copiedFiles,
  dockerfile,
  healthCommand,
  image,
  imageEnvironment,
  root,
  stages,
  textsOf,
} from './dockerfile.ts';

const {
  dependencies,
  devDependencies,
  version,
}: {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  version: string;
} = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));

async function runHealthCheck(port: number): Promise<number> {
  const [program = '', ...args] = healthCommand();
  const env = { ...imageEnvironment(), DBPM_WEB_HEALTH_ADDRESS: `127.0.0.1:${port}` };
  const file = program === '/usr/local/bin/node' ? process.execPath : program;
  return promisify(execFile)(file, args, { env }).then(
    () => 0,
    error => error.code,
  );
}

test('the health check needs nothing but Node, and tells a daemon that answers from one that does not', async () => {
  const statuses = [200, 503];
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/-/healthy' ? (statuses.shift() ?? 500) : 404;
    response.end();
  });
  const { port, close } = await listenOnLoopback(server);
  expect(await runHealthCheck(port)).toBe(0);
  expect(await runHealthCheck(port)).toBe(1);
  await close();
  expect(await runHealthCheck(port)).toBe(1);
});

test('the image has what the program imports: production dependencies and src', () => {
  const imported = readSources().flatMap(({ packages }) =>
    packages
      .filter(name => !name.startsWith('node:'))
      .map(name => name.split('/', name.startsWith('@') ? 2 : 1).join('/')),
  );
  expect([...new Set(imported)].sort()).toEqual(Object.keys(dependencies).sort());
  expect(dockerfile).toContain('npm ci --omit=dev --omit=optional --ignore-scripts');
});

test('the image runs the Node that is tested, taken from an image of its exact version', () => {
  const tested = devDependencies.node;
  expect(process.version).toBe(`v${tested}`);
  const [dependencyStage, nodeStage] = stages;
  expect(dependencyStage?.from).toBe(`node:${tested}-bookworm-slim`);
  expect(nodeStage).toMatchObject({ name: 'node', from: `node:${tested}-bookworm-slim` });
  expect(textsOf('COPY')).toContain('--from=node /usr/local/bin/node /usr/local/bin/node');
});

test('the image needs no shell, to be built or to run', () => {
  expect(stages.map(({ name }) => name)).toEqual(['dependencies', 'node', '']);
  expect(image.from).toBe('gcr.io/distroless/cc-debian12:nonroot');
  for (const stage of stages.slice(1)) expect(textsOf('RUN', stage)).toEqual([]);
  for (const text of textsOf('ENTRYPOINT')) expect(JSON.parse(text)[0]).toBe('/usr/local/bin/node');
  expect(healthCommand()[0]).toBe('/usr/local/bin/node');
  expect(textsOf('CMD')).toEqual([]);
});

test('nothing runs on another machine than the one it is built for, so that no emulator is needed', () => {
  expect(dockerfile).toMatch(/^FROM --platform=\$BUILDPLATFORM \$\{NODE_IMAGE\} AS dependencies$/m);
});

/** Architectures of the image, with the machine that the header of an ELF file names. */
const architectures = [
  ['linux-x64', 0x3e],
  ['linux-arm64', 0xb7],
] as const;
const addons = architectures.flatMap(([name, machine]) =>
  [`better-sqlite3/prebuilds/${name}.node`, `bcrypt/prebuilds/${name}/bcrypt.glibc.node`].map(
    file => [file, machine] as const,
  ),
);

test.each(addons)('the addon %s needs nothing that the base of the image has not', (file, machine) => {
  const bytes = readFileSync(new URL(`node_modules/${file}`, root));
  expect([bytes.toString('latin1', 1, 4), bytes.readUInt16LE(18)]).toEqual(['ELF', machine]);
  const text = bytes.toString('latin1');
  const libraries = new Set(Array.from(text.matchAll(/\blib[a-z_+-]+\.so\.\d+/g), ([name]) => name));
  const there = [
    'libc.so.6',
    'libm.so.6',
    'libpthread.so.0',
    'libdl.so.2',
    'libstdc++.so.6',
    'libgcc_s.so.1',
  ];
  expect([...libraries].filter(name => !there.includes(name))).toEqual([]);
  // Debian 12 has glibc 2.36.
  const wanted = Array.from(text.matchAll(/GLIBC_2\.(\d+)/g), ([, minor]) => Number(minor));
  expect(Math.max(...wanted)).toBeLessThanOrEqual(36);
});

test('the image says what it is, by the labels that registries show', () => {
  const labels = Object.fromEntries(
    textsOf('LABEL').flatMap(text =>
      Array.from(
        text.matchAll(/org\.opencontainers\.image\.(\w+)=(?:"([^"]*)"|(\S+))/g),
        ([, key, quoted, plain]) => [key, quoted ?? plain],
      ),
    ),
  );
  expect(labels).toEqual({
    title: 'dbpm-exporter',
    description: expect.stringMatching(/^Prometheus exporter/),
    version,
    revision: '$REVISION',
    licenses: 'Apache-2.0',
  });
});

test('one recipe builds it for both architectures, with a bill of materials and its provenance', () => {
  const { target, variable } = JSON.parse(
    readFileSync(new URL('deploy/image/docker-bake.json', root), 'utf8'),
  );
  expect(target.default).toMatchObject({
    platforms: ['linux/amd64', 'linux/arm64'],
    attest: ['type=provenance,mode=max', 'type=sbom'],
  });
  expect(variable.VERSION.default).toBe(version);
  const used = Array.from(JSON.stringify(target).matchAll(/\$\{(\w+)\}/g), ([, name = '']) => name);
  expect([...new Set(used)].toSorted()).toEqual(Object.keys(variable).toSorted());
  const taken = [...textsOf('ARG').map(text => text.split('=', 1)[0]), 'SOURCE_DATE_EPOCH'];
  expect(Object.keys(target.default.args).filter(name => !taken.includes(name))).toEqual([]);
});

test('the image has the boards its dashboards command writes', () => {
  expect(dockerfile).toMatch(/^COPY dashboards\/boards\/\*\.json dashboards\/boards\/$/m);
  const ignored = readFileSync(new URL('.dockerignore', root), 'utf8').split('\n');
  expect(ignored).not.toContain('dashboards');
  expect(ignored).toContain('!dashboards/boards/*.json');
});

test('the image has the documents that its help shows', () => {
  expect(dockerfile).toMatch(/^COPY docs\/\*\.md docs\/$/m);
  const ignored = readFileSync(new URL('.dockerignore', root), 'utf8').split('\n');
  expect(ignored).not.toContain('docs');
  expect(ignored).toContain('!docs/*.md');
});

test('the image has what its rules command needs besides src', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-image-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const { from, to } of copiedFiles()) {
    for (const path of from.flatMap(pattern => globSync(pattern, { cwd: root }))) {
      const target = to.endsWith('/') ? join(folder, to, basename(path)) : join(folder, to);
      cpSync(new URL(path, root), target, { recursive: true });
    }
  }
  symlinkSync(new URL('node_modules', root), join(folder, 'node_modules'));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(folder, 'bin/dbpm-exporter.cjs'), 'rules'],
    {
      env: {},
    },
  );
  expect(stdout).toBe(readFileSync(new URL('dashboards/rules/dbpm.rules.yml', root), 'utf8'));
});

test('it runs as an ordinary user, by number, and keeps all it writes on one volume that is its own', () => {
  const [user = ''] = textsOf('USER');
  expect(user).toBe('65532:65532');
  expect(textsOf('VOLUME')).toEqual(['/data']);
  expect(textsOf('COPY')).toContain(`--from=dependencies --chown=${user} /volumes/ /`);
  expect(imageEnvironment().DBPM_HISTORY_FILE).toMatch(/^\/data\//);
});

test('its environment is of settings', () => {
  const known = [
    ...globalSettings.map(({ env }) => env),
    'NODE_ENV',
    'DBPM_EXPORTER_REVISION',
    'SQLITE_TMPDIR',
    'MALLOC_ARENA_MAX',
    'MALLOC_MMAP_THRESHOLD_',
    'MALLOC_TRIM_THRESHOLD_',
  ];
  expect(Object.keys(imageEnvironment()).filter(name => !known.includes(name))).toEqual([]);
});
