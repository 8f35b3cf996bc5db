import type { History } from '../../src/history/history.ts';
import { MeterPoller, type MeterPollerOptions } from '../../src/poll/meter-poller.ts';
import type { PollProblem } from '../../src/poll/poller-options.ts';
import { collectors, optionalCollectors } from '../../src/resources/collector.ts';
import { consumptionList } from '../../src/resources/consumption.ts';
import { dayMs, hourMs } from '../../src/resources/duration.ts';
import type { Granularity, MeterSpan } from '../../src/resources/meter.ts';
import type { Reason } from '../../src/resources/reason.ts';
import { monthStart } from '../../src/resources/utc-month.ts';
import { type HistoryFolder, viewOf } from '../support/history-folder.ts';
import { answerMeter, type MeteredProject } from '../support/metered-service.ts';
import { projectsReading } from '../support/reading-builder.ts';

const withMeter = { collectors: [...collectors, ...optionalCollectors] };
export const firstAt = Date.UTC(2026, 8, 1);
const { signal } = new AbortController();

/** What the service's meter keeps: one that is asked for more answers 406. */
function isKept({ granularity, fromAt, untilAt }: MeterSpan, now: number): boolean {
  const oldestAt = { hourly: now - 168 * hourMs, daily: now - 60 * dayMs, monthly: monthStart(now, -12) };
  return fromAt >= oldestAt[granularity] && fromAt < untilAt && untilAt <= now;
}

/** A service with a meter, and the history of a daemon that reads it. */
export function openMeter(folder: HistoryFolder, projects: readonly MeteredProject[]) {
  const world = {
    now: firstAt,
    lagHours: 0,
    fails: undefined as Reason | undefined,
    /** Fails for this alone; for all where it is undefined. */
    failsFor: undefined as Granularity | undefined,
    diesAfterPage: false,
    isEndless: false,
    pageSize: 2,
  };
  const asked: MeterSpan[] = [];
  const problems: PollProblem[] = [];
  const refusals: unknown[] = [];
  async function* pages(span: MeterSpan) {
    asked.push(span);
    if (!isKept(span, world.now)) throw new Error('406');
    const { decode } = consumptionList(span.granularity);
    for (let first = 0; first < projects.length; first += world.pageSize) {
      const isAsked = world.failsFor === undefined || world.failsFor === span.granularity;
      if (world.fails !== undefined && isAsked) throw new Error(world.fails);
      const part = projects.slice(first, first + world.pageSize);
      const wire = answerMeter(part, span, world.now, world.lagHours);
      const items = wire.map(decode).filter(item => item !== undefined);
      const isLast = first + world.pageSize >= projects.length;
      yield {
        items,
        servedAt: world.now,
        ...(isLast && { end: { rejected: 0, complete: !world.isEndless } }),
      };
      if (world.diesAfterPage) throw new Error('killed');
    }
  }
  let history = folder.open(withMeter);
  let poller = open(history);
  function open(over: History, more: Partial<MeterPollerOptions> = {}): MeterPoller {
    return new MeterPoller({
      account: 'main',
      scope: '',
      known: over.meterState('main'),
      isWanted: () => true,
      pages,
      reasonOf: () => world.fails ?? 'internal',
      commit: async reading => {
        over.commitOne(reading);
        return over.meterState('main');
      },
      onProblem: problem => problems.push(problem),
      onRefused: error => refusals.push(error),
      now: () => world.now,
      serviceNow: () => world.now,
      ...more,
    });
  }
  return {
    world,
    asked,
    problems,
    refusals,
    poll: () => poller.poll(signal),
    use(more: Partial<MeterPollerOptions>) {
      poller = open(history, more);
    },
    restart() {
      history = folder.reopen(history, withMeter);
      poller = open(history);
    },
    list: () =>
      history.commitOne(
        projectsReading(
          world.now,
          projects.map(({ project_id }) => ({ id: project_id })),
        ),
      ),
    metered: () => viewOf(history, world.now).metered,
  };
}

export const hours = (project_id: string, count: number): MeteredProject => ({
  project_id,
  fromAt: firstAt,
  hours: Array.from({ length: count }, (_, hour) => ({
    compute_unit_seconds: (hour * 97) % 3600,
    public_network_transfer_bytes: hour % 5 === 0 ? 0 : hour * 1000,
  })),
});
