import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../src/simulator/model/random.ts';
import type { DaemonProcess } from '../support/daemon-process.ts';

/** How the active daemon of a pair is taken out. */
const endings = ['SIGKILL', 'SIGTERM', 'SIGSTOP'] as const;
type Ending = (typeof endings)[number];

/** A takeover as it was seen from outside. */
interface SeenTakeover {
  readonly ending: Ending;
  /** From the signal until the standby was ready. */
  readonly afterMs: number;
}

interface Member {
  readonly daemon: DaemonProcess;
  readonly url: string;
}

const longestWaitMs = 120_000;
/** A daemon that is stopped is given up between these milliseconds. */
const aroundMs = [2800, 5200] as const;
/** How exactly the moment of a takeover is seen. */
const momentMs = 2;
const shownLines = 20;
const servingLine = /msg=serving url=(?<url>\S+)/;
const standbyLine = 'dbpm-exporter is a standby: another one has the history.\n';

/** Two daemons on one history. The active one is taken out again and again. */
export class StandbyPair {
  readonly #start: () => DaemonProcess;
  readonly #random: Random;
  #members: readonly Member[] = [];
  readonly takeovers: SeenTakeover[] = [];
  /** How often both said that they are ready. */
  answeredAtOnce = 0;

  constructor(start: () => DaemonProcess, random: Random) {
    this.#start = start;
    this.#random = random;
  }

  async open(): Promise<void> {
    await this.#add();
    await this.#add();
  }

  /** The roots of the daemons that run now. */
  get urls(): readonly string[] {
    return this.#members.map(({ url }) => url);
  }

  /** Takes the active daemon out, waits for the standby to be ready, and has two of them again. */
  async takeOver(): Promise<void> {
    const [active, standby] = await this.#roles();
    const ending = this.#random.pick(endings);
    const at = performance.now();
    active.daemon.signal(ending);
    await this.#until(async () => (await readiness(standby.url)) === 'active', 'the standby took over');
    this.takeovers.push({ ending, afterMs: performance.now() - at });
    if (ending === 'SIGSTOP') await this.#wake(active);
    else await active.daemon.exited;
    if (!active.daemon.isRunning()) {
      this.#members = [standby];
      await this.#add();
    }
  }

  /**
   * Stops the active daemon, has it go on around the moment at which the standby takes the history, and has two of them
   * again. Where that is not after the moment, it may be before it, and there may be no takeover.
   *
   * @param generation counts up when the history is taken.
   */
  async resumeAround(generation: () => number, isAfter: boolean): Promise<void> {
    const [active, standby] = await this.#roles();
    const before = generation();
    const untilMs = performance.now() + this.#random.integer(...aroundMs);
    active.daemon.signal('SIGSTOP');
    const isMoment = () => (isAfter ? generation() > before : performance.now() >= untilMs);
    await this.#until(async () => isMoment(), 'the moment to go on', momentMs);
    if (isAfter) await pause(this.#random.pick([0, 0, 20, 200]));
    active.daemon.signal('SIGCONT');
    const watchedMs = performance.now() + this.#random.integer(1500, 3000);
    while (performance.now() < watchedMs) await this.#countAnswers(active, standby);
    if (!active.daemon.isRunning()) {
      this.#members = [standby];
      await this.#add();
    }
    await this.#roles();
  }

  /** The one that was stopped is asked again: it may not have known yet when the other one was not ready yet. */
  async #countAnswers(stopped: Member, other: Member): Promise<void> {
    if ((await readiness(other.url)) !== 'active') return;
    if ((await readiness(stopped.url)) !== 'active') return;
    if ((await readiness(other.url)) === 'active') this.answeredAtOnce += 1;
  }

  /** One that was stopped in the midst of a write is gone, any other one becomes the standby. */
  async #wake({ daemon, url }: Member): Promise<void> {
    await pause(this.#random.integer(0, 1500));
    daemon.signal('SIGCONT');
    const isOver = async () => !daemon.isRunning() || (await readiness(url)) === 'standby';
    await this.#until(isOver, 'the one that was stopped stands by');
  }

  async #add(): Promise<void> {
    const daemon = this.#start();
    // Many programs at once take long to start.
    await this.#until(async () => servingLine.test(daemon.stderr()), 'it serves');
    const { url = '' } = servingLine.exec(daemon.stderr())?.groups ?? {};
    this.#members = [...this.#members, { daemon, url }];
  }

  async #until(check: () => Promise<boolean>, what: string, everyMs = 50): Promise<void> {
    const startedMs = performance.now();
    while (!(await check())) {
      if (performance.now() - startedMs > longestWaitMs)
        throw new Error(`not within two minutes: ${what}\n${await this.#describe()}`);
      await pause(everyMs);
    }
  }

  /** What is known of each member: how it ended or answers, and the end of its log. */
  async #describe(): Promise<string> {
    const told = this.#members.map(async ({ daemon, url }) => {
      const state = daemon.isRunning() ? ((await readiness(url)) ?? 'neither') : 'ended';
      return `${daemon.pid} ${state}:\n${daemon.stderr().split('\n').slice(-shownLines).join('\n')}`;
    });
    return (await Promise.all(told)).join('\n');
  }

  /** Who is what, once that is settled. */
  async #roles(): Promise<readonly [active: Member, standby: Member]> {
    let found: readonly Member[] = [];
    await this.#until(async () => {
      const roles = await Promise.all(this.#members.map(({ url }) => readiness(url)));
      found = roles[0] === 'active' ? this.#members : this.#members.toReversed();
      return roles.toSorted().join() === 'active,standby';
    }, 'one is active and the other one stands by');
    const [active, standby] = found;
    if (active === undefined || standby === undefined) throw new Error('the pair is none');
    return [active, standby];
  }
}

/** Active or standby, as a daemon says; undefined while it says neither. */
async function readiness(url: string): Promise<'active' | 'standby' | undefined> {
  try {
    const answer = await fetch(`${url}/-/ready`, { signal: AbortSignal.timeout(1000) });
    if (answer.ok) return 'active';
    return (await answer.text()) === standbyLine ? 'standby' : undefined;
  } catch {
    return undefined;
  }
}
