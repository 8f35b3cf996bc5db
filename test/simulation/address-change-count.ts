import type { Sample } from '../support/exposition-reader.ts';
import type { Way } from './virtual-service.ts';

interface ListedKey {
  readonly id: number;
  readonly last_used_from_addr: string;
}

/** What an exporter may remember of a key: where it was used from last, empty while it never was, and its counter. */
interface Remembered {
  readonly address: string;
  readonly changes: number;
}

/** What it may remember after the last list, and what it may have remembered before that. */
interface Known {
  readonly before: readonly Remembered[];
  readonly now: readonly Remembered[];
}

/** The exporter doubts a clock that is further off than this, and it asks for keys by which to judge it. */
const clockToleranceMs = 30_000;
/** That many lists may be asked for the clock alone, before one is read. */
const mostQuestions = 2;

/**
 * Counts what an exporter must count of the addresses that API keys are used from, by the lists that came to it: one
 * for each list with another address than the list before. A list that came just before the end may not be written
 * yet, and one that came as the clock jumped may have been asked for the clock alone, so there may be several right counts.
 */
export class AddressChangeCount {
  readonly #keys = new Map<string, Known>();
  #skewMs = 0;
  #questions = 0;

  /** Looks at every list of keys that is answered by a way. */
  follow(way: Way): void {
    way.onAnswer = (path, { statusCode, headers, payload }) => {
      this.#followClock(Date.parse(String(headers.date)) - Date.now());
      if (/\/api_keys(?:\?|$)/.test(path) && statusCode === 200) this.#note(JSON.parse(payload));
    };
  }

  /** To be called once the exporter was ended or cut off: the last list may be lost, and what it knew of the clock. */
  loseLast(): void {
    this.#questions = mostQuestions;
    for (const [key, { before, now }] of this.#keys) {
      this.#keys.set(key, { before, now: distinct([...before, ...now]) });
    }
  }

  /** A line for every counter that is none of the right ones. */
  differences(samples: readonly Sample[]): readonly string[] {
    return samples
      .filter(({ name }) => name === 'dbpm_api_key_source_address_changes_total')
      .flatMap(({ labels: { key_id = '' }, value }) => {
        const right = (this.#keys.get(key_id)?.now ?? []).map(({ changes }) => changes);
        return right.includes(value) ? [] : [`key ${key_id}: ${value} instead of ${right.join(' or ')}`];
      });
  }

  #followClock(skewMs: number): void {
    if (Math.abs(skewMs - this.#skewMs) > clockToleranceMs) this.#questions = mostQuestions;
    this.#skewMs = skewMs;
  }

  #note(list: readonly ListedKey[]): void {
    const mayBeQuestion = this.#questions > 0;
    if (mayBeQuestion) this.#questions -= 1;
    for (const { id, last_used_from_addr } of list) {
      const [address = ''] = last_used_from_addr.split(',');
      const before = this.#keys.get(String(id))?.now ?? [{ address: '', changes: 0 }];
      const read = before.map(known => changed(known, address));
      this.#keys.set(String(id), { before, now: distinct(mayBeQuestion ? [...before, ...read] : read) });
    }
  }
}

function changed(known: Remembered, address: string): Remembered {
  const isChange = known.address !== '' && known.address !== address;
  return { address, changes: known.changes + Number(isChange) };
}

function distinct(all: readonly Remembered[]): readonly Remembered[] {
  return [...new Map(all.map(each => [JSON.stringify(each), each])).values()];
}
