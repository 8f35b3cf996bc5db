import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { OnTestFinished } from '../daemon/open-daemon.ts';
import { findSpellings } from '../support/canary.ts';
import { type ProgramProcess, startProgram } from '../support/daemon-process.ts';
import { findFreePort } from '../support/free-port.ts';
import { patience } from '../support/patience.ts';
import { answerJson, startScriptedService } from '../support/scripted-service.ts';
import { exchangeRaw } from './fault/raw-request.ts';

const key = 'canary-b9f04c2a71e8d653';

let service: Awaited<ReturnType<typeof startScriptedService>>;

beforeAll(async () => {
  // It says the key in every place an answer has.
  const said = { message: `no key ${key}`, code: key, request_id: Buffer.from(key).toString('base64') };
  const headers = { 'x-request-id': key, server: key, location: `https://elsewhere.test/${key}` };
  service = await startScriptedService((_request, response) => answerJson(response, 403, said, headers));
});
afterAll(() => service.close());

type Settings = Readonly<Record<string, unknown>>;

/** A folder with the key in a file and a configuration that can be changed. */
async function prepare(level: string, onTestFinished: OnTestFinished) {
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-canary-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const keyFile = join(folder, 'secret.key');
  const configFile = join(folder, 'config.yml');
  writeFileSync(keyFile, key, { mode: 0o600 });
  const address = `127.0.0.1:${await findFreePort()}`;
  const account = { name: 'main', base_url: service.base_url, api_key_file: keyFile };
  const rightSettings: Settings = {
    accounts: [account],
    collect: { schedule: '* * * * * *' },
    history: { file: join(folder, 'history.sqlite') },
    web: { listen_address: address, enable_lifecycle: true },
    log: { level },
  };
  const write = (settings: Settings | string) =>
    writeFileSync(configFile, typeof settings === 'string' ? settings : JSON.stringify(settings));
  write(rightSettings);
  return { folder, configFile, url: `http://${address}`, account, rightSettings, write };
}

/** Files of a folder that have the key, though they were not written with it. */
function leaksIn(folder: string): readonly string[] {
  return globSync('**', { cwd: folder, withFileTypes: true })
    .filter(file => file.isFile() && !['secret.key', 'config.yml'].includes(file.name))
    .filter(({ parentPath, name }) => findSpellings(key, readFileSync(join(parentPath, name))).length > 0)
    .map(({ name }) => name);
}

/** What others on the machine see of a process, and what it wrote. */
function shownBy(program: ProgramProcess): string {
  const seen = ['cmdline', 'comm', 'environ'].map(name =>
    readFileSync(`/proc/${program.pid}/${name}`, 'latin1'),
  );
  return [program.stdout(), program.stderr(), ...seen].join('\n');
}

const paths = ['/', '/metrics', '/-/healthy', '/-/ready', '/nowhere', `/${key}`, `/metrics/${key}`];
const methods = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', key.toUpperCase()];
const asked = [
  ...paths.flatMap(path => [...methods, 'POST'].map(method => `${method} ${path}?key=${key}`)),
  ...methods.map(method => `${method} /-/reload?${key}`),
];
const requests = asked.map(
  line =>
    `${line} HTTP/1.1\r\nHost: ${key}\r\nAuthorization: Bearer ${key}\r\nX-Key: ${key}\r\nConnection: close\r\n\r\n`,
);

describe('with the log at', () => {
  test.for(['debug', 'info', 'warn', 'error'])(
    '%s no path, method or header gets the key from the daemon, nor does a reload that fails',
    async (level, context) => {
      const { folder, configFile, url, account, rightSettings, write } = await prepare(
        level,
        context.onTestFinished,
      );
      const program = startProgram(['serve', '--config.file', configFile], { TMPDIR: folder });
      context.onTestFinished(async () => void (await program.stop('SIGKILL')));
      await vi.waitFor(async () => expect((await fetch(`${url}/-/healthy`)).status).toBe(200), patience);
      if (level !== 'error')
        await vi.waitFor(() => expect(program.stderr()).toContain('[redacted]'), patience);
      const answers = await Promise.all(requests.map(request => exchangeRaw(url, request)));
      expect(answers.filter(answer => !answer.startsWith('HTTP/1.1 '))).toEqual([]);
      const wrong: readonly (Settings | string)[] = [
        { ...rightSettings, log: { level: key } },
        { ...rightSettings, [key]: 1 },
        { ...rightSettings, collect: { [key]: 1, schedule: key } },
        { ...rightSettings, accounts: [{ ...account, base_url: `https://${key}@127.0.0.1/` }] },
        { ...rightSettings, accounts: [{ ...account, base_url: key }] },
        { ...rightSettings, accounts: [{ ...account, api_key_file: key }] },
        { ...rightSettings, accounts: [{ ...account, api_key: key }] },
        { ...rightSettings, accounts: [{ ...account, [key]: key }] },
        { ...rightSettings, history: { file: join(folder, key) } },
        `accounts: [${key}`,
        `${key}: &${key} !${key} *${key}`,
        key,
      ];
      for (const settings of wrong) {
        write(settings);
        const answer = await fetch(`${url}/-/reload`, { method: 'POST' });
        answers.push(`${JSON.stringify(settings).length} ${await answer.text()}`);
        expect([answer.status, settings]).toEqual([500, settings]);
      }
      program.signal('SIGHUP');
      write(rightSettings);
      expect((await fetch(`${url}/-/reload`, { method: 'POST' })).status).toBe(200);
      expect(answers.filter(answer => findSpellings(key, answer).length > 0)).toEqual([]);
      expect(findSpellings(key, shownBy(program))).toEqual([]);
      expect(leaksIn(folder)).toEqual([]);
      await program.stop('SIGTERM');
      expect(findSpellings(key, program.stdout() + program.stderr())).toEqual([]);
    },
  );
});
