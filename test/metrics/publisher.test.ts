import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Publisher } from '../../src/metrics/publication/publisher.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function openPublisher() {
  const errors: unknown[] = [];
  const published = { count: 0, fails: false };
  const publisher = new Publisher(
    () => {
      if (published.fails) throw new Error('no view');
      published.count += 1;
    },
    error => errors.push(error),
  );
  return { publisher, errors, published };
}

describe('a publisher', () => {
  it('publishes many changes shortly after each other once', () => {
    const { publisher, published } = openPublisher();
    for (let change = 0; change < 50; change += 1) publisher.request();
    expect(published.count).toBe(0);
    vi.advanceTimersByTime(1000);
    expect(published.count).toBe(1);
  });

  it('publishes now and then without a change, since series go with time alone', () => {
    const { publisher, published } = openPublisher();
    publisher.publish();
    vi.advanceTimersByTime(120_000);
    expect(published.count).toBeGreaterThanOrEqual(4);
    expect(published.count).toBeLessThanOrEqual(6);
  });

  it('that fails to publish tells it and goes on', () => {
    const { publisher, errors, published } = openPublisher();
    publisher.publish();
    published.fails = true;
    publisher.request();
    vi.advanceTimersByTime(1000);
    expect(errors).toEqual([new Error('no view')]);
    expect(published.count).toBe(1);
    published.fails = false;
    publisher.request();
    vi.advanceTimersByTime(1000);
    expect(published.count).toBe(2);
  });

  it('that was stopped publishes no more', () => {
    const { publisher, published } = openPublisher();
    publisher.publish();
    publisher.request();
    publisher.stop();
    vi.advanceTimersByTime(600_000);
    expect(published.count).toBe(1);
  });
});
