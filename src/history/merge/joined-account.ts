import { deflateSync } from 'node:zlib';
import type { Database } from 'better-sqlite3';
import { maxOf, minOf } from '../../resources/min-max.ts';
import { isFirstImport } from '../clause.ts';
import { listClosings } from '../closing/closed-period.ts';
import { statementsOf } from '../file/statement.ts';
import { type HistorySource, readShard } from '../history-source.ts';
import { keptFromAt, retentionKinds } from '../upkeep/retention.ts';
import type { JoinedPart, JoinedProject } from './joined-project.ts';
import { insertRow, type Row, rowsOf } from './row-copy.ts';

/** An account with the histories that know it. */
interface JoinedAccount {
  readonly account: string;
  readonly account_ref: number;
  readonly known: readonly KnownAccount[];
  /** The histories that speak last for a project of it that is still there; all of them where there is none. */
  readonly speaking: readonly KnownAccount[];
  readonly hasSpeaking: boolean;
}

interface KnownAccount {
  readonly part: JoinedPart;
  readonly row: Row;
}

/** Rows of a history that are of the account. */
function rowsOfAccount({ part, row }: KnownAccount, table: string, more: Row = {}): readonly Row[] {
  return rowsOf(part.database, table, { account_ref: row.account_ref ?? 0, ...more });
}

/** Joins what histories know of accounts besides their projects. */
export class JoinedAccounts {
  readonly refs: ReadonlyMap<string, number>;
  readonly #accounts: readonly JoinedAccount[];
  readonly #parts: readonly JoinedPart[];
  readonly #projects: readonly JoinedProject[];

  constructor(parts: readonly JoinedPart[], projects: readonly JoinedProject[]) {
    this.#parts = parts;
    this.#projects = projects;
    const known = parts.flatMap(part =>
      statementsOf(part.database).all<[], Row>`SELECT * FROM account ORDER BY account_ref`().map(row => ({
        part,
        row,
      })),
    );
    const byName = [...Map.groupBy(known, ({ row }) => String(row.account))];
    this.#accounts = byName.map(([account, found], index) => {
      const last = new Set(
        projects.filter(each => each.account === account && !each.isGone).map(each => each.last.part),
      );
      const speaking = found.filter(({ part }) => last.has(part));
      const hasSpeaking = speaking.length > 0;
      return {
        ...{ account, account_ref: index + 1, known: found, hasSpeaking },
        speaking: hasSpeaking ? speaking : found,
      };
    });
    this.refs = new Map(this.#accounts.map(({ account, account_ref }) => [account, account_ref]));
  }

  /** What each history is known to speak for. */
  listSources(): readonly HistorySource[] {
    return this.#accounts.flatMap(({ account, known, speaking, hasSpeaking }) =>
      known.map(({ part, row }): HistorySource => {
        const shard = readShard(part.database);
        return {
          ...{ file: part.file, account, ...(shard && { shard }) },
          isRead: hasSpeaking && speaking.some(each => each.part === part),
          ...(typeof row.projects_listed_at === 'number' && { knownUntilAt: row.projects_listed_at }),
        };
      }),
    );
  }

  write(joined: Database): void {
    for (const kind of retentionKinds)
      insertRow(joined, 'retention', {
        kind,
        kept_from_at: maxOf(this.#parts.map(({ database }) => keptFromAt(database, kind))),
      });
    for (const account of this.#accounts) {
      writeAccount(joined, account);
      writeCollectors(joined, account);
      writeWords(joined, account);
      writeMeter(joined, account);
    }
    this.#writeKeys(joined);
    this.#writeClosings(joined);
  }

  /** Each key once, as the history tells it that listed keys last, and its uses as the one that saw most of them. */
  #writeKeys(joined: Database): void {
    const keys = this.#accounts.flatMap(({ account_ref, known }) =>
      known.flatMap(each => {
        const { part } = each;
        const [collector] = rowsOfAccount(each, 'collector', { collector: 'api_keys' });
        const listedAt = Number(collector?.last_success_at ?? 0);
        return rowsOfAccount(each, 'api_key').map(key => ({
          ...{ account_ref, part, key, listedAt },
          uses: rowsOf(part.database, 'key_use', { key_ref: key.key_ref ?? 0 }),
        }));
      }),
    );
    // In the order in which the histories met them.
    keys.sort(
      (a, b) =>
        this.#parts.indexOf(a.part) - this.#parts.indexOf(b.part) ||
        Number(a.key.key_ref) - Number(b.key.key_ref),
    );
    const byId = Map.groupBy(keys, ({ account_ref, key }) => JSON.stringify([account_ref, key.key_id]));
    for (const found of byId.values()) {
      const [newest] = found.toSorted(
        (a, b) =>
          b.listedAt - a.listedAt || Number(b.key.last_used_at ?? -1) - Number(a.key.last_used_at ?? -1),
      );
      const [best] = found.toSorted(
        (a, b) =>
          b.uses.length - a.uses.length || Number(b.uses.at(-1)?.until_at) - Number(a.uses.at(-1)?.until_at),
      );
      const changes = maxOf(found.map(({ key }) => Number(key.source_address_changes)));
      const { key_ref: _own, ...row } = newest?.key ?? {};
      const key_ref = insertRow(joined, 'api_key', {
        ...row,
        account_ref: found[0]?.account_ref ?? 0,
        source_address_changes: changes,
      });
      for (const use of best?.uses ?? []) insertRow(joined, 'key_use', { ...use, key_ref });
    }
  }

  /**
   * Where an account is split, the bill that one history closed is of a part of it, unless the period was over before any other
   * one read the account; those of a part are left out.
   */
  #writeClosings(joined: Database): void {
    const written = new Set<string>();
    for (const part of this.#parts) {
      for (const { lines, accepted, account, ...closing } of listClosings(part.database)) {
        const others = this.#parts.filter(each => each !== part);
        const isWhole = others.every(other => this.#speaksFrom(other, account) >= closing.untilAt);
        const key = `${account} ${closing.fromAt} ${closing.closedAt}`;
        if (!isWhole || written.has(key)) continue;
        written.add(key);
        insertRow(joined, 'closed_period', {
          account_ref: this.refs.get(account) ?? 0,
          ...{ from_at: closing.fromAt, until_at: closing.untilAt, closed_at: closing.closedAt },
          ...{ reopened_at: closing.reopenedAt ?? null, fingerprint: closing.fingerprint },
          ...{ price_book: closing.priceBook, accepted: JSON.stringify(accepted) },
          lines: deflateSync(lines),
        });
      }
    }
  }

  /** The first reading of a project of an account that a history speaks for; a copy of another speaks for none. */
  #speaksFrom(part: JoinedPart, account: string): number {
    return minOf(
      this.#projects
        .filter(each => each.account === account)
        .flatMap(({ last, moves }) => {
          if (moves.length === 0) return last.part === part ? last.firstSeenAt : [];
          return moves.filter(link => link.part === part).map(({ life }) => life.firstSeenAt);
        }),
    );
  }
}

/** An account is known as far as each history is that has a project of it. */
function writeAccount(joined: Database, { account_ref, known, speaking, hasSpeaking }: JoinedAccount): void {
  const listed = speaking.flatMap(({ row }) => row.projects_listed_at ?? []).map(Number);
  const isUnlisted = listed.length === 0 || (hasSpeaking && listed.length < speaking.length);
  const listedAt = hasSpeaking ? minOf(listed) : maxOf(listed);
  const imported = known.flatMap(({ row }) => row.imported_at ?? []).map(Number);
  const isImporting = known.some(({ part, row }) => isImportingIn(part, Number(row.account_ref)));
  insertRow(joined, 'account', {
    ...speaking[0]?.row,
    account_ref,
    projects_listed_at: isUnlisted ? null : listedAt,
    imported_at: isImporting || imported.length === 0 ? null : maxOf(imported),
    cpu_source: known.flatMap(({ row }) => row.cpu_source ?? [])[0] ?? null,
  });
}

function isImportingIn({ database }: JoinedPart, account_ref: number): boolean {
  const sql = `SELECT 1 FROM account WHERE account_ref = ? AND ${isFirstImport}`;
  return statementsOf(database).one`${sql}`(account_ref) !== undefined;
}

function writeCollectors(joined: Database, { account_ref, known }: JoinedAccount): void {
  const rows = known.flatMap(each => rowsOfAccount(each, 'collector'));
  const oldestFirst = rows.toSorted(
    (a, b) => Number(a.last_success_at ?? 0) - Number(b.last_success_at ?? 0),
  );
  for (const row of oldestFirst) insertRow(joined, 'collector', { ...row, account_ref });
}

function writeWords(joined: Database, { account_ref, known }: JoinedAccount): void {
  for (const word of known.flatMap(each => rowsOfAccount(each, 'word')))
    insertRow(joined, 'word', { ...word, account_ref });
}

/** The meter is told as far as to the history that is furthest behind; unknown while one of them has none. */
function writeMeter(joined: Database, { account_ref, known, speaking, hasSpeaking }: JoinedAccount): void {
  const settledAt = ({ part, row }: KnownAccount) =>
    statementsOf(part.database).value<[unknown], number>`
      SELECT max(min(settled_until_at, told_until_at)) FROM meter_pass WHERE account_ref = ?`(
      row.account_ref,
    );
  const told = speaking.flatMap(each => {
    const at = settledAt(each);
    return at === undefined ? [] : [{ ...each, at }];
  });
  const [behind] = told.toSorted((a, b) => a.at - b.at);
  const metered = known.flatMap(each => rowsOfAccount(each, 'metered_account'));
  // One that is still being told of its past holds up the account.
  const isImporting = (own: Row) => Number(own.importing_since !== null && own.refused_at === null);
  for (const own of metered.toSorted((a, b) => isImporting(a) - isImporting(b)))
    insertRow(joined, 'metered_account', { ...own, account_ref });
  if (behind === undefined || (hasSpeaking && told.length < speaking.length)) return;
  for (const table of ['meter_pass', 'meter_told'])
    for (const row of rowsOfAccount(behind, table)) insertRow(joined, table, { ...row, account_ref });
}
