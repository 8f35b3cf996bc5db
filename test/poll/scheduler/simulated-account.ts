import { nextTokenAt, openBudget, takeToken } from '../../../src/api/pacing/request-budget.ts';
import type { Project } from '../../../src/resources/project.ts';
import type { SimulatedWorld } from './simulated-world.ts';

/** A reading that a strategy asks for. */
export interface Ask {
  readonly index: number;
  readonly depth: 'full' | 'partial';
  readonly urgent: boolean;
  /** Told when the reading is done: how it ended and how many changes of state it knows of. */
  done(
    result: { ok: boolean; full: boolean; requests: number; from: number; until: number },
    now: number,
  ): void;
}

/** Somebody who decides what is read. */
export interface Strategy {
  /** How long after the last one a list poll may begin; undefined for one that needs no list. */
  listPollIntervalMs(): number | undefined;
  beginRound(now: number): void;
  followPage(page: readonly Project[], isFirst: boolean, isLast: boolean, askedAt: number, now: number): void;
  next(now: number, urgentOnly: boolean): Ask | undefined;
}

export interface AccountTerms {
  readonly projects: number;
  readonly requestsPerMinute: number;
  readonly pageSize: number;
  readonly latencyMs: number;
  readonly scheduleMs: number;
  readonly durationMs: number;
  readonly sampleMs: number;
}

interface Request {
  readonly priority: 'urgent' | 'list' | 'refresh';
  answered(now: number): void;
}

const aheadInARow = 4;
const mostUrgentInARow = 3;

/** Runs a strategy against a fleet: same budget, same gate and same workers as the daemon's, in virtual time. */
export function runAccount(
  world: SimulatedWorld,
  strategy: Strategy,
  terms: AccountTerms,
): { requests: number } {
  const { projects, requestsPerMinute, pageSize, latencyMs, scheduleMs, durationMs, sampleMs } = terms;
  const workers = Math.min(200, Math.max(4, requestsPerMinute / 60));
  const waiting = { urgent: [] as Request[], list: [] as Request[], refresh: [] as Request[] };
  const answers: { at: number; request: Request }[] = [];
  let budget = openBudget(requestsPerMinute, 0);
  let now = 0;
  let passed = 0;
  let urgentInARow = 0;
  let running = 0;
  let requests = 0;
  let isPollingList = false;
  let listPollAt = Number.POSITIVE_INFINITY;
  let listPolledAt = Number.NEGATIVE_INFINITY;
  let tickAt = 0;
  let sampleAt = 0;
  let answered = 0;

  const send = (request: Request) => waiting[request.priority].push(request);
  const pump = () => {
    while (running < 2 * workers) {
      const ask = strategy.next(now, running >= workers);
      if (ask === undefined) return;
      running += 1;
      read(ask);
    }
  };
  const read = ({ index, depth, urgent, done }: Ask) => {
    const priority = urgent ? 'urgent' : 'refresh';
    const from = world.knownChanges(index);
    const finish = (result: { ok: boolean; full: boolean; requests: number }, until: number) => {
      running -= 1;
      done({ ...result, from, until }, now);
      pump();
    };
    const readWhole = (spent: number) =>
      send({
        priority,
        answered: servedAt => {
          const until = world.changesUntil(index, servedAt);
          send({
            priority,
            answered: () => {
              const ok = !world.isFailing(index);
              if (ok) world.read(index, until, now);
              finish({ ok, full: true, requests: spent + 2 }, until);
            },
          });
        },
      });
    if (depth === 'full') readWhole(0);
    else
      send({
        priority,
        answered: servedAt => {
          const until = world.changesUntil(index, servedAt);
          if (until !== from || world.isFailing(index)) return readWhole(1);
          world.read(index, until, now);
          return finish({ ok: true, full: false, requests: 1 }, until);
        },
      });
  };
  const listPoll = () => {
    isPollingList = true;
    listPolledAt = now;
    listPollAt = Number.POSITIVE_INFINITY;
    const askedAt = now;
    const readPage = (from: number) =>
      send({
        priority: 'list',
        answered: () => {
          const isLast = from + pageSize >= projects;
          strategy.followPage(world.page(from, pageSize, now), from === 0, isLast, askedAt, now);
          if (isLast) endListPoll();
          else readPage(from + pageSize);
          pump();
        },
      });
    readPage(0);
  };
  /** Where list polls are to be further apart than the schedule has them, one follows the other without it. */
  const endListPoll = () => {
    isPollingList = false;
    const intervalMs = strategy.listPollIntervalMs() ?? 0;
    if (intervalMs > scheduleMs) listPollAt = Math.max(now, listPolledAt + intervalMs);
  };
  const tick = () => {
    strategy.beginRound(now);
    const isFree = !isPollingList && listPollAt === Number.POSITIVE_INFINITY;
    if (isFree && strategy.listPollIntervalMs() !== undefined) listPollAt = now;
    pump();
  };
  const pass = (): Request | undefined => {
    const isRefreshDue = passed >= aheadInARow && waiting.refresh.length > 0;
    const ahead = waiting.urgent.length + waiting.list.length;
    if (ahead > 0 && !isRefreshDue) {
      passed += 1;
      const isListDue = waiting.urgent.length === 0 || urgentInARow >= mostUrgentInARow;
      const isList = isListDue && waiting.list.length > 0;
      urgentInARow = isList ? 0 : urgentInARow + 1;
      return isList ? waiting.list.shift() : waiting.urgent.shift();
    }
    passed = 0;
    return waiting.refresh.shift();
  };

  while (now < durationMs) {
    const isWaiting = waiting.urgent.length + waiting.list.length + waiting.refresh.length > 0;
    const tokenAt = isWaiting ? nextTokenAt(budget, now) : Number.POSITIVE_INFINITY;
    const answerAt = answers[answered]?.at ?? Number.POSITIVE_INFINITY;
    now = Math.min(tickAt, sampleAt, listPollAt, tokenAt, answerAt, durationMs);
    if (answerAt === now) {
      const { request } = answers[answered] as { request: Request };
      answered += 1;
      if (answered > 4096) {
        answers.splice(0, answered);
        answered = 0;
      }
      request.answered(now);
    } else if (tickAt === now) {
      tickAt += scheduleMs;
      tick();
    } else if (listPollAt === now) listPoll();
    else if (sampleAt === now) {
      sampleAt += sampleMs;
      world.sample(now);
    } else if (tokenAt === now) {
      const taken = takeToken(budget, now);
      if (taken === undefined) throw new Error('a token was due');
      budget = taken;
      requests += 1;
      const request = pass();
      if (request !== undefined) answers.push({ at: now + latencyMs, request });
    }
  }
  world.end(now);
  return { requests };
}
