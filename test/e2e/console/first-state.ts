import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { backupHistory, nameBackup } from '../../../src/history/file/backup.ts';
import { type DaemonProcess, startDaemonProcess } from '../../support/daemon-process.ts';
import { overwrite } from '../../support/damaged-history.ts';
import { patience } from '../../support/patience.ts';
import { type SimulatedWorld, startWorld, worldKey } from '../simulated-world.ts';

/** A state that a reader can meet first, with the real daemon in it. */
interface FirstState {
  /** The address of the daemon. */
  readonly url: string;
  readonly world: SimulatedWorld;
  readonly daemon: DaemonProcess;
}

type Stack = AsyncDisposableStack;
type WorldOptions = Parameters<typeof startWorld>[0];

/** A banner is there once the state is. */
async function until(url: string, isThere: (health: Health) => boolean): Promise<void> {
  const deadline = Date.now() + patience.timeout;
  for (;;) {
    const health = (await (await fetch(`${url}/api/v1/health`)).json()) as Health;
    if (isThere(health)) return;
    if (Date.now() > deadline)
      throw new Error(`the state did not come: ${JSON.stringify(health.conditions)}`);
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}

interface Health {
  readonly conditions: readonly { readonly kind: string; readonly account: string | null }[];
  readonly accounts: readonly {
    readonly account: string;
    readonly up: boolean | null;
    readonly imports_left: number | null;
  }[];
}

const isRead = ({ accounts }: Health) =>
  accounts.length > 0 && accounts.every(({ up, imports_left }) => up === true && imports_left === 0);
const is = (kind: string) => (health: Health) => health.conditions.some(each => each.kind === kind);

async function open(stack: Stack, options: WorldOptions): Promise<SimulatedWorld> {
  const world = await startWorld({ seed: 5, historyDays: 3, projects: 8, ...options });
  stack.defer(() => world.close());
  return world;
}

async function start(world: SimulatedWorld, env?: Readonly<Record<string, string>>): Promise<FirstState> {
  const daemon = world.startDaemon(env);
  return { world, daemon, url: await daemon.untilServing() };
}

/** A daemon that has read all there is. */
async function startRead(
  stack: Stack,
  options: WorldOptions = {},
  env: Readonly<Record<string, string>> = {},
): Promise<FirstState> {
  const state = await start(await open(stack, options), env);
  await until(state.url, isRead);
  return state;
}

const refused = { match: 'GET *', status: 401, body: '{"message":"this key is not valid","code":"AUTH"}' };

/** Each state by name: what is done to be in it. */
export const firstStates = {
  /** The service takes the request and does not answer yet. */
  async unread(stack) {
    const world = await open(stack, {});
    await world.call('POST', '/faults', { match: 'GET *', delay_ms: 600_000 });
    const state = await start(world);
    await until(state.url, is('account_unread'));
    return state;
  },
  /** The operations of three projects are not answered, and those of the others only after a while. */
  async importing(stack) {
    const world = await open(stack, {});
    const { projects } = await world.truth();
    const hold = async () => {
      for (const { project_id: id } of projects.slice(0, 3))
        await world.call('POST', '/faults', { match: `GET /projects/${id}/operations*`, delay_ms: 600_000 });
    };
    const left = (count: number) => (health: Health) => health.accounts[0]?.imports_left === count;
    await hold();
    await world.call('POST', '/faults', { match: 'GET /projects/*/operations*', status: 503 });
    const state = await start(world, { DBPM_CONFIG_FILE: writePrices(world.folder) });
    await until(state.url, left(8));
    // The three are still being asked for, and so are held all the time.
    await world.call('DELETE', '/faults');
    await hold();
    await until(state.url, health => left(3)(health) && !is('account_unreadable')(health));
    return state;
  },
  /** The key was revoked while the daemon ran. */
  async 'wrong-key'(stack) {
    const state = await startRead(stack);
    await state.world.call('POST', '/faults', refused);
    await until(state.url, is('key_refused'));
    return state;
  },
  /** Nothing listens any more where the service was. */
  async unreachable(stack) {
    const state = await startRead(stack);
    await state.world.simulator.close();
    await until(state.url, is('account_unreadable'));
    return state;
  },
  async 'empty-account'(stack) {
    const state = await start(await open(stack, { projects: 0 }));
    await until(state.url, is('account_empty'));
    return state;
  },
  'no-prices': stack => startRead(stack),
  /** A fleet too young to have findings, with prices. */
  async 'no-findings'(stack) {
    const world = await open(stack, { historyDays: 1, projects: 2 });
    const state = await start(world, { DBPM_CONFIG_FILE: writePrices(world.folder) });
    await until(state.url, isRead);
    return state;
  },
  /** One of two accounts has a key that is not valid. */
  async 'one-of-several'(stack) {
    const world = await open(stack, {});
    const other = await open(stack, { seed: 6, projects: 4 });
    const [file, key] = [join(world.folder, 'accounts.yaml'), join(world.folder, 'key')];
    writeFileSync(key, worldKey, { mode: 0o600 });
    const account = (name: string, base_url: string) =>
      `  - {name: ${name}, base_url: "${base_url}", api_key_file: ${key}, requests_per_minute: 60000}\n`;
    writeFileSync(
      file,
      `accounts:\n${account('production', world.base_url)}${account('shop', other.base_url)}`,
    );
    const daemon = startDaemonProcess({
      ...{ base_url: '', apiKey: '', historyFile: join(world.folder, 'history.sqlite') },
      env: { DBPM_CONFIG_FILE: file },
    });
    stack.defer(async () => void (await daemon.stop('SIGKILL')));
    const url = await daemon.untilServing();
    await until(url, isRead);
    await other.call('POST', '/faults', refused);
    await until(url, is('key_refused'));
    return { world, daemon, url };
  },
  shard: stack => startRead(stack, {}, { DBPM_SHARD: '1/3' }),
  /** Another daemon has the history. */
  async standby(stack) {
    const { world } = await startRead(stack);
    const state = await start(world, { DBPM_STANDBY: 'true' });
    await until(state.url, is('standby'));
    return state;
  },
  /** The history was damaged between two runs; a backup goes on in its place. */
  async 'set-aside'(stack) {
    const { world, daemon } = await startRead(stack);
    const file = join(world.folder, 'history.sqlite');
    await backupHistory({ from: file, to: nameBackup(file, '', Date.now()) });
    await daemon.stop('SIGTERM');
    overwrite(file, 0, 100);
    const state = await start(world);
    await until(state.url, health => isRead(health) && is('history_set_aside')(health));
    return state;
  },
} satisfies Readonly<Record<string, (stack: Stack) => Promise<FirstState>>>;

function writePrices(folder: string): string {
  const file = join(folder, 'prices.yaml');
  writeFileSync(
    file,
    'pricing: {currency: USD, plans: [{name: all, prices: [{from: 2020-01-01, per_compute_hour: 0.16}]}]}\n',
  );
  return file;
}
