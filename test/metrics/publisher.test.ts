import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Publisher } from '../../src/metrics/publisher.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function openPublisher() {
  const errors: unknown[] = [];
  const rendered = { count: 0, fails: false };
  const publisher = new Publisher(
    () => {
      if (rendered.fails) throw new Error('no view');
      rendered.count += 1;
      return { text: `page ${rendered.count}\n`, openmetrics: '' };
    },
    error => errors.push(error),
  );
  const read = async () => Buffer.concat((await publisher.read('text', false, '')).pieces).toString();
  return { publisher, errors, rendered, read };
}

describe('a publisher', () => {
  it('makes one page of many changes shortly after each other', async () => {
    const { publisher, rendered, read } = openPublisher();
    for (let change = 0; change < 50; change += 1) publisher.request();
    expect(rendered.count).toBe(0);
    vi.advanceTimersByTime(1000);
    expect(rendered.count).toBe(1);
    expect(await read()).toBe('page 1\n');
  });

  it('makes a new page now and then without a change, since series go with time alone', () => {
    const { publisher, rendered } = openPublisher();
    publisher.publish();
    vi.advanceTimersByTime(120_000);
    expect(rendered.count).toBeGreaterThanOrEqual(4);
    expect(rendered.count).toBeLessThanOrEqual(6);
  });

  it('keeps the last page when one cannot be rendered, tells it, and goes on', async () => {
    const { publisher, errors, rendered, read } = openPublisher();
    publisher.publish();
    rendered.fails = true;
    publisher.request();
    vi.advanceTimersByTime(1000);
    expect(errors).toEqual([new Error('no view')]);
    expect(await read()).toBe('page 1\n');
    rendered.fails = false;
    publisher.request();
    vi.advanceTimersByTime(1000);
    expect(await read()).toBe('page 2\n');
  });

  it('that was stopped renders no more', () => {
    const { publisher, rendered } = openPublisher();
    publisher.publish();
    publisher.request();
    publisher.stop();
    vi.advanceTimersByTime(600_000);
    expect(rendered.count).toBe(1);
  });
});
