import { constants } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Shard } from '../resources/shard.ts';
import { parseNote, renderNote, type ShareNote } from './share-note.ts';

/** A note of hundreds of loans is smaller. */
const mostBytes = 64 * 1024;

const { O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_TRUNC, O_WRONLY } = constants;
/** A pipe in the place of a note is not waited for. */
const reading = O_RDONLY | O_NONBLOCK;
/** A link in the place of a note leads nowhere. */
const writing = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW;

/** The notes of the shards of an account in a folder that all of them reach; each one writes its own and no other. */
export class LendingFolder {
  readonly #folder: string;
  readonly #account: string;
  readonly #shard: Shard;

  constructor(folder: string, account: string, shard: Shard) {
    this.#folder = folder;
    this.#account = account;
    this.#shard = shard;
  }

  /** The note that an earlier run of this shard left; undefined where there is none that can be read. */
  readOwn(): Promise<ShareNote | undefined> {
    return this.#read(this.#shard.index);
  }

  /** The notes of the others, as far as they can be read. */
  async readOthers(): Promise<readonly ShareNote[]> {
    const { index, count } = this.#shard;
    const others = Array.from({ length: count }, (_, each) => each).filter(each => each !== index);
    const notes = await Promise.all(others.map(each => this.#read(each)));
    return notes.filter(note => note !== undefined);
  }

  /** @throws the system's error when it cannot be written. */
  async write(note: ShareNote): Promise<void> {
    const path = this.#pathOf(this.#shard.index);
    await using file = await open(`${path}.unfinished`, writing);
    await file.writeFile(renderNote(note));
    await rename(`${path}.unfinished`, path);
  }

  async #read(index: number): Promise<ShareNote | undefined> {
    try {
      await using file = await open(this.#pathOf(index), reading);
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(mostBytes) });
      const note = parseNote(buffer.toString('utf8', 0, bytesRead));
      return note?.shard === index ? note : undefined;
    } catch {
      return undefined;
    }
  }

  #pathOf(index: number): string {
    return join(this.#folder, `${encodeURIComponent(this.#account)}.${index}-of-${this.#shard.count}.json`);
  }
}
