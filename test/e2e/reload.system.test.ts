import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readSamples, sampleValue } from '../support/exposition-reader.ts';
import { patience } from '../support/patience.ts';
import { startWorld, worldKey } from './simulated-world.ts';

/** A daemon on a configuration file, which may be written again. */
async function openReloadable(more: Readonly<Record<string, string>> = {}) {
  const world = await startWorld({ projects: 3, historyDays: 1 });
  onTestFinished(() => world.close());
  const file = join(world.folder, 'dbpm.yaml');
  const write = (text: string) => writeFileSync(file, text);
  write('');
  const daemon = world.startDaemon({
    DBPM_CONFIG_FILE: file,
    DBPM_WEB_ENABLE_LIFECYCLE: 'true',
    DBPM_USAGE_REFRESH: '1s',
    ...more,
  });
  const url = await daemon.untilServing();
  const scrape = () => readSamples(url);
  const readValue = async (name: string, labels: Readonly<Record<string, string>> = {}) =>
    sampleValue(await scrape(), name, labels);
  const reload = async () => {
    const response = await fetch(`${url}/-/reload`, { method: 'POST' });
    return { status: response.status, text: await response.text() };
  };
  await vi.waitFor(async () => {
    expect(await readValue('dbpm_collector_success', { collector: 'operations' })).toBe(1);
  }, patience);
  return { world, daemon, url, write, scrape, readValue, reload };
}

/** Locks that the system knows on a file; at least one while a database is open. */
function countLocks(file: string): number {
  const { ino } = statSync(file);
  const locks = readFileSync('/proc/locks', 'utf8').split('\n');
  return locks.filter(line => line.includes(`:${ino} `)).length;
}

const prices =
  'pricing: {currency: EUR, plans: [{name: all, prices: [{from: 2020-01-01, per_compute_hour: 0.16}]}]}\n';
const budgets = 'budgets: [{name: everything, account: main, amount: 500, per: month}]\n';

test('prices and budgets are taken up by a reload, and polling goes on meanwhile', async () => {
  const { world, daemon, write, readValue, reload } = await openReloadable({ DBPM_ACCOUNT_NAME: 'main' });
  write(prices + budgets);
  const locks = countLocks(join(world.folder, 'history.sqlite'));
  expect(await reload()).toEqual({ status: 200, text: 'The configuration was loaded again.\n' });
  expect(locks).toBeGreaterThan(0);
  expect(countLocks(join(world.folder, 'history.sqlite'))).toBeGreaterThanOrEqual(locks);
  await vi.waitFor(async () => {
    expect(await readValue('dbpm_budget_limit', { budget: 'everything' })).toBe(500);
  }, patience);
  await daemon.untilWritten('stderr', /msg="the configuration was loaded again" changed=spending/);
});

test('a configuration with mistakes changes nothing, and each is named in the answer and the log', async () => {
  const { daemon, write, readValue, reload } = await openReloadable();
  const before = await readValue('dbpm_exporter_config_last_reload_success_timestamp_seconds');
  write('keys: {stale_after: soon}\ncolect: {}\n');
  const refused = await reload();
  expect(refused.status).toBe(500);
  expect(refused.text).toMatch(
    /^The configuration stays as it was:\n\S+dbpm\.yaml:1: keys\.stale_after: found "soon".*\n\S+dbpm\.yaml:2: colect: .*\n$/,
  );
  expect(await readValue('dbpm_exporter_config_last_reload_successful')).toBe(0);
  expect(await readValue('dbpm_exporter_config_last_reload_success_timestamp_seconds')).toBe(before);
  await vi.waitFor(
    () => expect(daemon.stderr().match(/the configuration stays as it was/g)).toHaveLength(2),
    patience,
  );
  write('history: {file: elsewhere.sqlite}\nkeys: {stale_after: 1d}\n');
  // The environment says otherwise, and goes before the file.
  expect((await reload()).status).toBe(200);
  write('web: {telemetry_path: /other}\n');
  expect((await reload()).text).toContain('web.telemetry_path was changed, which needs a restart');
  write('');
  expect((await reload()).status).toBe(200);
  expect(await readValue('dbpm_exporter_config_last_reload_successful')).toBe(1);
});

test('SIGHUP reloads too, no counter falls and no scrape is lost while everything begins anew', async () => {
  const { world, daemon, url, write, scrape } = await openReloadable();
  const counters = async () =>
    new Map(
      [...(await scrape())]
        .filter(({ name }) => /_total$|_count$|_sum$/.test(name))
        .map(({ name, labels, value }) => [`${name}${JSON.stringify(labels)}`, value]),
    );
  const before = await counters();
  let scrapes = 0;
  let lost = 0;
  const stop = new AbortController();
  const scraping = (async () => {
    while (!stop.signal.aborted) {
      const answer = await fetch(`${url}/metrics`).catch(() => undefined);
      scrapes += 1;
      if (answer?.status !== 200 || !(await answer.text()).includes('dbpm_endpoint_state{')) lost += 1;
    }
  })();
  for (const [index, idle] of ['1m', '2m', '3m'].entries()) {
    write(`collect: {idle_refresh: ${idle}}\n`);
    daemon.signal('SIGHUP');
    await vi.waitFor(() => {
      expect(daemon.stderr().match(/was loaded again" changed=watching/g)).toHaveLength(index + 1);
    }, patience);
  }
  stop.abort();
  await scraping;
  expect(lost).toBe(0);
  expect(scrapes).toBeGreaterThan(10);
  const after = await counters();
  expect([...before].filter(([name, value]) => (after.get(name) ?? -1) < value)).toEqual([]);
  await world.call('POST', '/operations', {
    project_id: (await world.truth()).projects[0]?.project_id,
    action: 'apply_config',
    status: 'failed',
  });
  await vi.waitFor(async () => {
    const failed = [...(await scrape())].filter(
      ({ name, labels, value }) =>
        name === 'dbpm_operations_total' &&
        labels.action === 'apply_config' &&
        labels.status === 'failed' &&
        value > 0,
    );
    expect(failed).toHaveLength(1);
  }, patience);
});

test('accounts come and go with a reload', async () => {
  const { world, write, readValue, reload } = await openReloadable({ SECOND_KEY: worldKey });
  const second = `accounts: [{name: second, base_url: "${world.simulator.base_url}", api_key_env: SECOND_KEY}]\n`;
  write(second);
  expect((await reload()).status).toBe(200);
  await vi.waitFor(async () => expect(await readValue('dbpm_up', { account: 'second' })).toBe(1), patience);
  write('');
  expect((await reload()).status).toBe(200);
  await vi.waitFor(
    async () => expect(await readValue('dbpm_up', { account: 'second' })).toBeUndefined(),
    patience,
  );
});

test('a key that is exchanged in its file is used from the next request on', async () => {
  const world = await startWorld({ projects: 2, historyDays: 1 });
  onTestFinished(() => world.close());
  const keyFile = join(world.folder, 'dbpm.key');
  writeFileSync(keyFile, worldKey, { mode: 0o600 });
  const created = await world.call('POST', `${world.simulator.base_url}api_keys`, { key_name: 'next' });
  const daemon = world.startDaemon({ DBPM_API_KEY: '', DBPM_API_KEY_FILE: keyFile });
  const url = await daemon.untilServing();
  const scrape = () => readSamples(url);
  await vi.waitFor(async () => expect(sampleValue(await scrape(), 'dbpm_up', {})).toBe(1), patience);
  const { key, id } = created as { key: string; id: number };
  writeFileSync(`${keyFile}.new`, key, { mode: 0o600 });
  renameSync(`${keyFile}.new`, keyFile);
  await vi.waitFor(async () => {
    const keys = [...(await scrape())].filter(
      ({ name, labels }) =>
        name === 'dbpm_api_key_last_used_timestamp_seconds' && labels.key_id === String(id),
    );
    expect(keys).toHaveLength(1);
  }, patience);
  const refused = [...(await scrape())].filter(
    ({ name, labels, value }) =>
      name === 'dbpm_exporter_api_requests_total' && labels.outcome === 'unauthorized' && value > 0,
  );
  expect(refused).toEqual([]);
});

test('a reload is refused where nobody may ask for it, and is no page', async () => {
  const { url } = await openReloadable({ DBPM_WEB_ENABLE_LIFECYCLE: 'false' });
  const forbidden = await fetch(`${url}/-/reload`, { method: 'PUT' });
  expect([forbidden.status, await forbidden.text()]).toEqual([
    403,
    'Reloading is not allowed: start with --web.enable-lifecycle, or send SIGHUP.\n',
  ]);
  const page = await fetch(`${url}/-/reload`);
  expect([page.status, page.headers.get('allow')]).toEqual([405, 'POST, PUT']);
});
