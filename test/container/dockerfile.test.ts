import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { readSources } from '../architecture/import-graph.ts';

const root = new URL('../../', import.meta.url);
const dockerfile = readFileSync(new URL('Dockerfile', root), 'utf8');
const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
  readFileSync(new URL('package.json', root), 'utf8'),
);

async function runHealthCheck(port: number): Promise<number> {
  const [, command = '[]'] = /HEALTHCHECK[\s\S]*?CMD (\[.*\])/.exec(dockerfile) ?? [];
  const [program = '', ...args]: string[] = JSON.parse(command);
  const env = { ...process.env, DBPM_HEALTH_URL: `http://127.0.0.1:${port}/-/healthy` };
  return promisify(execFile)(program === 'node' ? process.execPath : program, args, { env }).then(
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
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  expect(await runHealthCheck(port)).toBe(0);
  expect(await runHealthCheck(port)).toBe(1);
  server.close();
  server.closeAllConnections();
  expect(await runHealthCheck(port)).toBe(1);
});

test('the image has what the program imports: production dependencies and src', () => {
  const imported = readSources().flatMap(({ packages }) =>
    packages.filter(name => !name.startsWith('node:')).map(name => name.split('/', 1).join()),
  );
  expect([...new Set(imported)].sort()).toEqual(Object.keys(dependencies).sort());
  expect(dockerfile).toContain('npm ci --omit=dev --omit=optional');
  expect(dockerfile).toMatch(/^FROM node:24-slim$/m);
});

test('the image has the boards its dashboards command writes', () => {
  expect(dockerfile).toMatch(/^COPY dashboards\/boards\/\*\.json dashboards\/boards\/$/m);
  const ignored = readFileSync(new URL('.dockerignore', root), 'utf8').split('\n');
  expect(ignored).not.toContain('dashboards');
  expect(ignored).toContain('!dashboards/boards/*.json');
});

test('the image has what its rules command needs besides src', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-image-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const wanted = [...dockerfile.matchAll(/^COPY (?!--)(.+) (\S+)$/gm)].slice(1);
  for (const [, from = '', to = ''] of wanted) {
    for (const path of from.split(' ').flatMap(pattern => globSync(pattern, { cwd: root }))) {
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

test('it runs as an ordinary user and keeps all it writes on one volume', () => {
  expect(dockerfile).toMatch(/^USER node$/m);
  expect(dockerfile).toMatch(/^VOLUME \/data$/m);
  expect(dockerfile).toContain('DBPM_HISTORY_FILE=/data/');
});
