import { expect, test } from 'vitest';
import { ServiceClock } from '../../src/api/pacing/service-clock.ts';
import { rejection, startClient } from '../support/api-client.ts';
import { answerJson } from '../support/scripted-service.ts';

const second = 1000;
const day = 86_400 * second;
const now = Date.UTC(2026, 0, 1);

test('the clock is followed as it drifts', () => {
  const clock = new ServiceClock();
  for (let drift = 0; drift <= 10; drift += 1) {
    expect(clock.follow(now + drift * 30 * second, now)).toBe(true);
  }
  expect(clock.estimate(now)).toBe(now + 300 * second);
});

test('a jump is not believed by itself, and is once another answer agrees', () => {
  const clock = new ServiceClock();
  expect(clock.follow(now + 3 * day, now)).toBe(false);
  expect(clock.followJump(now + 3 * day, now, now)).toBe(false);
  expect(clock.estimate(now)).toBe(now);
  expect(clock.followJump(now + 3 * day, now + 3 * day + second, now)).toBe(true);
  expect(clock.estimate(now)).toBe(now + 3 * day + second);
});

const asDate = (at: number) => new Date(at).toUTCString();

test('one answer with a wrong date is asked for once more, and the other date counts', async () => {
  const dates = [now, now + 3 * day, now].map(asDate);
  const { get, service } = await startClient((_, response, count) =>
    answerJson(response, 200, { count }, { date: dates[count - 1] ?? '' }),
  );
  expect(await get()).toEqual({ body: { count: 1 }, servedAt: now });
  expect(await get()).toEqual({ body: { count: 3 }, servedAt: now });
  expect(service.requests).toHaveLength(3);
});

test('a clock that was set is followed after one answer more, and then costs nothing', async () => {
  const { get, service } = await startClient((_, response, count) =>
    answerJson(response, 200, { count }, { date: asDate(now + (count > 1 ? day : 0)) }),
  );
  expect(await get()).toEqual({ body: { count: 1 }, servedAt: now });
  expect(await get()).toEqual({ body: { count: 3 }, servedAt: now + day });
  expect(await get()).toEqual({ body: { count: 4 }, servedAt: now + day });
  expect(service.requests).toHaveLength(4);
});

test('dates that never agree are dated by our own clock', async () => {
  const { get } = await startClient((_, response, count) =>
    answerJson(response, 200, {}, { date: asDate(now + count * day) }),
  );
  expect(await get()).toEqual({ body: {}, servedAt: now });
});

test('a clock that is set between the two answers is followed once two agree', async () => {
  const ahead = [2, 5, 5];
  const { get } = await startClient((_, response, count) =>
    answerJson(response, 200, { count }, { date: asDate(now + (ahead[count - 1] ?? 0) * day) }),
  );
  expect(await get()).toEqual({ body: { count: 3 }, servedAt: now + 5 * day });
});

test('an answer whose date is not believed and that cannot be asked for again is not used', async () => {
  const { get } = await startClient((_, response, count) =>
    count === 1 ? answerJson(response, 200, {}, { date: asDate(now + day) }) : answerJson(response, 403, {}),
  );
  expect(await rejection(get())).toMatchObject({ reason: 'forbidden' });
});
