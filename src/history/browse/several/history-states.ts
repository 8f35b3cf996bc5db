import type { Collector } from '../../../resources/collector.ts';
import type { Shard } from '../../../resources/shard.ts';
import { FollowedFile, holdStill } from '../../file/followed-file.ts';
import { historySizeBytes } from '../../file/history-size.ts';
import { type AccountState, AccountStates, joinAccounts } from './account-state.ts';
import { type BrowsedPart, browsePart } from './browsed-part.ts';
import { ProjectPlaces } from './project-place.ts';

/** One of several histories, and what it knows. */
export interface HistoryState {
  readonly file: string;
  readonly sizeBytes: number;
  /** Why it cannot be read; absent where it can. */
  readonly problem?: string;
  /** The part of the projects that it is for; absent where that is all of them. */
  readonly shard?: Shard;
  /** Without the projects that another history speaks for by now. */
  readonly accounts: readonly AccountState[];
}

/** Several histories at one moment. */
export interface SeveralStates {
  readonly files: readonly HistoryState[];
  /** Each account once. */
  readonly accounts: readonly AccountState[];
}

interface OpenPart {
  readonly part: BrowsedPart;
  readonly states: AccountStates;
}

/** Tells how far each of several histories is, which somebody else writes. */
export class StateWatch {
  readonly #files: readonly FollowedFile<OpenPart>[];

  /** @param collectors those that are on. */
  constructor(files: readonly string[], collectors: readonly Collector[]) {
    this.#files = files.map(
      file =>
        new FollowedFile(file, database => ({
          part: browsePart(file, database),
          states: new AccountStates(database, collectors),
        })),
    );
  }

  read(): SeveralStates {
    const opened = this.#files.map(each => ({ file: each.file, found: each.open() }));
    const open = opened.flatMap(({ found }) => (typeof found === 'string' ? [] : [found]));
    const files = holdStill(
      open.map(({ database }) => database),
      () => {
        const places = new ProjectPlaces(
          this.#files.map(({ file }) => file),
          open.map(({ made }) => made.part),
        );
        return opened.map(({ file, found }): HistoryState => {
          const sizeBytes = historySizeBytes(file);
          if (typeof found === 'string') return { file, sizeBytes, problem: found, accounts: [] };
          const { part, states } = found.made;
          const accounts = states.read([...places.formerOf(part)]);
          return { file, sizeBytes, ...(states.shard && { shard: states.shard }), accounts };
        });
      },
    );
    return { files, accounts: joinAccounts(files.flatMap(({ accounts }) => accounts)) };
  }

  close(): void {
    for (const each of this.#files) each.close();
  }
}
