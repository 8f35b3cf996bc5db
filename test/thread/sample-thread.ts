import { setTimeout as sleep } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import { Link, transfer } from '../../src/thread/link.ts';

/** The things that a sample thread tells its owner. */
export interface SampleListeners {
  noted(word: string): void;
  failed(error: Error): void;
}

/** The methods of a sample thread. */
class Sample {
  readonly #greeting: string;
  readonly #owner: Link<SampleListeners>;

  constructor(greeting: string, owner: Link<SampleListeners>) {
    this.#greeting = greeting;
    this.#owner = owner;
  }

  greet(name: string): string {
    return `${this.#greeting}, ${name}`;
  }

  async greetLate(name: string): Promise<string> {
    await sleep(1);
    return this.greet(name);
  }

  say(words: readonly string[]): string {
    for (const word of words) this.#owner.tell.noted(word);
    return 'said';
  }

  complain(): void {
    const cause = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    this.#owner.tell.failed(new TypeError('nothing can be said', { cause }));
  }

  count(to: number, onEach: (count: number) => void): number {
    for (let count = 1; count <= to; count += 1) onEach(count);
    return to;
  }

  async waitFor(signal: AbortSignal): Promise<void> {
    await new Promise(resolve => signal.addEventListener('abort', resolve));
    this.#owner.tell.noted('aborted');
  }

  refuse(): never {
    const disk = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    throw Object.assign(new RangeError('nothing can be written', { cause: disk }), { kind: 'run' });
  }

  double(numbers: Float64Array<ArrayBuffer>): Float64Array {
    for (const [index, number] of numbers.entries()) numbers[index] = number * 2;
    return transfer(numbers, [numbers.buffer]);
  }

  nothingToCopy(): unknown {
    return () => {};
  }

  listen(port: MessagePort): void {
    new Link(port, () => this);
  }

  fall(): void {
    setImmediate(() => {
      throw Object.assign(new Error('it fell'), { code: 'EFELL' });
    });
  }

  hang(): void {
    for (;;);
  }
}

export type SampleApi = Sample;

export function serve(greeting: string, owner: Link<SampleListeners>): Sample {
  if (greeting === '') throw Object.assign(new Error('there is no greeting'), { code: 'ENOGREETING' });
  return new Sample(greeting, owner);
}
