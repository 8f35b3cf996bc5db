import { expect, test, vi } from 'vitest';
import { ServiceClock } from '../../src/api/pacing/service-clock.ts';
import { rejection, startClient } from '../support/api-client.ts';
import { answerJson } from '../support/scripted-service.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;
const now = Date.UTC(2026, 0, 1);
const instant = (at: number) => new Date(at).toISOString();

/** A service that is asked every ten seconds: `dateOf` gives the date of each answer, in milliseconds from its true clock. */
function live(dateOf: (passedMs: number) => number | undefined, options: LifeOptions = {}) {
  const {
    lastsMs = 2 * hour,
    skewMs = 0,
    trueSkewMs = skewMs,
    hostNow = at => at,
    newest = () => 0,
  } = options;
  let passedMs = 0;
  const clock = new ServiceClock({ skewMs, hostNow: () => hostNow(now + passedMs) });
  const errors: number[] = [];
  let questions = 0;
  for (; passedMs < lastsMs; passedMs += 10 * second) {
    const ownNow = now + passedMs;
    const trueAt = ownNow + trueSkewMs;
    const offMs = dateOf(passedMs);
    const body = { projects: [{ updated_at: instant(Math.max(0, newest(trueAt))) }] };
    const expectedAt = clock.estimate(ownNow);
    const answer = { body, ...(offMs !== undefined && { servedAt: trueAt + offMs }) };
    if (!clock.follow(answer, ownNow) && clock.takeQuestion(answer, ownNow)) {
      questions += 1;
      const api_keys = [{ last_used_at: instant(trueAt) }];
      clock.follow({ body: api_keys, ...(offMs !== undefined && { servedAt: trueAt + offMs }) }, ownNow);
    }
    errors.push(clock.date({ ...answer, expectedAt }, ownNow) - trueAt);
  }
  return { worst: Math.max(...errors.map(Math.abs)), last: errors.at(-1), errors, questions };
}

interface LifeOptions {
  readonly lastsMs?: number;
  /** As an earlier run left it. */
  readonly skewMs?: number;
  readonly trueSkewMs?: number;
  readonly hostNow?: (at: number) => number;
  /** The newest instant in a body, given the true time of the service. */
  readonly newest?: (trueAt: number) => number;
}

const isRight = (errors: readonly number[]) => errors.every(error => error === 0);

const between = (fromMs: number, untilMs: number, offMs: number) => (passedMs: number) =>
  passedMs >= fromMs && passedMs < untilMs ? offMs : 0;

test.each([
  ['a year ahead for two answers', between(minute, minute + 20 * second, year)],
  ['a year ahead for ten minutes', between(minute, 11 * minute, year)],
  ['a year ahead for ever', between(minute, Number.POSITIVE_INFINITY, year)],
  ['a day ahead for ever', between(minute, Number.POSITIVE_INFINITY, day)],
  ['an hour ahead for ten minutes', between(minute, 11 * minute, hour)],
  ['a year behind for two answers', between(minute, minute + 20 * second, -year)],
  ['a year behind for ten minutes', between(minute, 10 * minute, -year)],
  ['another one each time', (passedMs: number) => (passedMs % 7) * hour],
  ['that of a cache, up to a minute old', (passedMs: number) => -(passedMs % minute)],
  [
    'that of a cache, ten minutes old, every other time',
    (passedMs: number) => -((passedMs / 10_000) % 2) * 10 * minute,
  ],
  ['none at times', (passedMs: number) => (passedMs % minute === 0 ? undefined : 0)],
  ['none', () => undefined],
])('a date that is wrong changes nothing: %s', (_, dateOf) => {
  const { worst, last } = live(dateOf);
  expect(worst).toBeLessThanOrEqual(minute);
  expect(Math.abs(last ?? Number.NaN)).toBeLessThanOrEqual(minute);
});

test('a year behind for ever is not believed while the service speaks of later', () => {
  const behind = between(minute, Number.POSITIVE_INFINITY, -year);
  expect(live(behind, { newest: at => at - hour }).worst).toBe(0);
});

test('a wrong date is asked about ever less often', () => {
  expect(live(between(minute, Number.POSITIVE_INFINITY, year)).questions).toBeLessThan(35);
});

test('a wrong date is not believed at the start either', () => {
  expect(live(() => year, { lastsMs: 9 * minute }).worst).toBe(0);
  expect(live(() => -year, { newest: at => at - hour }).worst).toBe(0);
});

test('the clock of the service is followed from the first answer where that of the host is off', () => {
  for (const trueSkewMs of [3 * hour, -3 * hour, year, -year]) {
    expect(live(() => 0, { skewMs: 0, trueSkewMs, newest: at => at - day }).worst).toBe(0);
  }
});

test('a service whose clock is set between its first answers is followed from the second one', () => {
  const set = (passedMs: number) => (passedMs === 0 ? -12 * minute : 0);
  for (const trueSkewMs of [-43 * day, -year]) {
    expect(live(set, { skewMs: 0, trueSkewMs }).errors.slice(1)).toSatisfy(isRight);
  }
});

test('dates at the start that are behind and agree in nothing are not believed', () => {
  const any = (passedMs: number) => -((passedMs / 10_000) % 3) * 5 * hour - hour;
  expect(live(any, { lastsMs: minute }).worst).toBe(0);
});

test('a clock that was set is followed as soon as the service speaks of its time', () => {
  // From the first minute on the true clock is a day further than the host's.
  const set = (passedMs: number) => (passedMs < minute ? -day : 0);
  expect(live(set, { skewMs: -day, trueSkewMs: 0 }).errors.slice(6)).toSatisfy(isRight);
});

test('after a suspended host the clock goes on with that of the host', () => {
  const clock = new ServiceClock({ hostNow: () => now + 8 * hour });
  const answer = { body: {}, servedAt: now + 8 * hour };
  expect(clock.follow(answer, now)).toBe(true);
  expect(clock.date({ ...answer, expectedAt: now }, now)).toBe(now + 8 * hour);
});

test('instants that are still to come speak for no date', () => {
  const clock = new ServiceClock({ hostNow: () => now });
  expect(clock.follow({ body: {}, servedAt: now }, now)).toBe(true);
  const body = { project: { quota_reset_at: instant(now + day), updated_at: instant(now + 80 * year) } };
  expect(clock.follow({ body, servedAt: now + year }, now)).toBe(false);
});

test('the clock is followed as it drifts', () => {
  expect(live(passedMs => Math.floor(passedMs / 10), { lastsMs: day }).errors.at(-1)).toBe(
    Math.floor((day - 10 * second) / 10),
  );
});

const asDate = (at: number) => new Date(at).toUTCString();

test('the service is asked once when the key was last used, and dates are believed again at once', async () => {
  const offs: number[] = [];
  const { get, service } = await startClient(
    (request, response) => {
      const isFirst = service.requests.length < 3;
      const date = asDate(isFirst ? now + year : now);
      if (request.target.includes('/api_keys'))
        answerJson(response, 200, [{ last_used_at: instant(now) }], { date });
      else answerJson(response, 200, {}, { date });
    },
    { onDate: offMs => offs.push(offMs) },
  );
  expect(await get()).toEqual({ body: {}, servedAt: now });
  expect(await get()).toEqual({ body: {}, servedAt: now });
  expect(service.requests.map(({ target }) => target.replace(/^.*v2/, ''))).toEqual([
    '/projects',
    '/api_keys',
    '/projects',
  ]);
  expect(offs).toEqual([year, 0]);
});

test('a key that may not list keys has the same asked again', async () => {
  const { get, service } = await startClient((request, response) => {
    const date = asDate(now - 3 * hour);
    answerJson(response, request.target.includes('/api_keys') ? 403 : 200, {}, { date });
  });
  expect(await get()).toEqual({ body: {}, servedAt: now - 3 * hour });
  expect(service.requests).toHaveLength(3);
});

test.each(['', 'yesterday', 'Thu, 99 Foo 2026 99:99:99 GMT'])(
  'a date that cannot be read (%s) is none',
  async date => {
    const { get } = await startClient((_, response) => answerJson(response, 200, {}, { date }));
    expect(await get()).toEqual({ body: {}, servedAt: now });
  },
);

test('answers that are in doubt at the same time wait for one question, and each keeps its own date', async () => {
  let askedAt = now;
  let attempts = 0;
  const allInDoubt = Promise.withResolvers<void>();
  const { client, service } = await startClient(
    async (request, response) => {
      const isQuestion = request.target.includes('/api_keys');
      const servedAt = isQuestion ? now + 2 * hour : now + hour;
      const body = isQuestion ? [{ last_used_at: instant(servedAt) }] : {};
      if (isQuestion) await allInDoubt.promise;
      answerJson(response, 200, body, { date: asDate(askedAt === now ? now : servedAt) });
    },
    {
      onAttempt() {
        attempts += 1;
        if (attempts === 4) setImmediate(allInDoubt.resolve);
      },
    },
  );
  const get = () =>
    client.get({ route: '/projects', params: {}, priority: 'list', signal: new AbortController().signal });
  await get();
  askedAt = now + hour;
  const answers = await Promise.all([get(), get(), get()]);
  expect(answers.map(({ servedAt }) => servedAt)).toEqual([now + hour, now + hour, now + hour]);
  expect(service.requests.filter(({ target }) => target.includes('/api_keys'))).toHaveLength(1);
});

test('an answer that was under way while another one told of a later time keeps its own date', async () => {
  const later = Promise.withResolvers<void>();
  const { client, service } = await startClient(
    async (_, response, count) => {
      if (count === 2) await later.promise;
      if (count < 3) answerJson(response, 200, {}, { date: asDate(now) });
      if (count === 3)
        answerJson(response, 200, { updated_at: instant(now + hour) }, { date: asDate(now + hour) });
    },
    { hostNow: () => now - 10 * day },
  );
  const get = () =>
    client.get({ route: '/projects', params: {}, priority: 'list', signal: new AbortController().signal });
  await get();
  const slow = get();
  await vi.waitFor(() => expect(service.requests).toHaveLength(2), 30_000);
  expect((await get()).servedAt).toBe(now + hour);
  later.resolve();
  expect((await slow).servedAt).toBe(now);
});

test('an answer whose date is not believed and that nothing can speak for is not used', async () => {
  const { get } = await startClient((_, response, count) =>
    count === 1 ? answerJson(response, 200, {}, { date: asDate(now + day) }) : answerJson(response, 403, {}),
  );
  expect(await rejection(get())).toMatchObject({ reason: 'forbidden' });
});
