import { writeMaybeInstant } from '../../answer-field.ts';
import { causeOfUnlisted, type LiveState } from '../../live-state.ts';
import type { Trouble } from './overview-answer.ts';

const href = '/health';
/** So many are named. */
const mostExamples = 3;

/** Troubles with reading the accounts. */
export function findHealthTroubles(live: LiveState): Trouble[] {
  const { overviews, stalled, lastReload, problems } = live;
  const causeOf = ({ account }: { readonly account: string }): Example => ({
    text: account,
    detail: causeOfUnlisted(live, account) ?? '',
  });
  const summaries = overviews.map(({ summary }) => summary);
  const refused = summaries.filter(({ authOk }) => authOk === false);
  const unreadable = summaries.filter(({ up, authOk }) => up === false && authOk !== false);
  const isDown = new Set([...refused, ...unreadable].map(({ account }) => account));
  const failing = summaries
    .filter(({ account }) => !isDown.has(account))
    .flatMap(({ account, collectors }) =>
      collectors.filter(({ success }) => success === false).map(each => ({ account, ...each })),
    );
  return [
    ...trouble(
      'key_refused',
      refused,
      count => `The service refuses the API key of ${accounts(count)}.`,
      causeOf,
    ),
    ...trouble(
      'account_unreadable',
      unreadable,
      count => `${count === 1 ? 'One account' : `${count} accounts`} cannot be read.`,
      causeOf,
    ),
    ...trouble(
      'polling_stalled',
      stalled,
      () => 'Polling has stalled: start the daemon again.',
      each => ({
        text: each.account,
        detail: each.what,
      }),
    ),
    ...trouble(
      'collector_failing',
      failing,
      count => `${readings(count)} at the last attempt.`,
      each => ({
        text: `${each.collector} of ${each.account}`,
        detail: each.lastSuccessAt === undefined ? 'never succeeded' : 'last succeeded',
        at: writeMaybeInstant(each.lastSuccessAt),
      }),
    ),
    ...(lastReload?.succeeded === false
      ? trouble(
          'reload_failed',
          [lastReload],
          () => 'The configuration could not be loaded again.',
          ({ at }) => ({
            text: 'The one before is in use',
            detail: 'tried',
            at: writeMaybeInstant(at),
          }),
        )
      : []),
    ...trouble(
      'problem_lasting',
      // Failures of a collector are told above.
      problems.filter(({ about }) => about.collector === undefined),
      count => (count === 1 ? 'Something fails again and again.' : `${count} things fail again and again.`),
      ({ what, about, sinceAt }) => ({
        text: [what, ...Object.values(about)].join(', '),
        detail: 'since',
        at: writeMaybeInstant(sinceAt),
      }),
    ),
  ];
}

/** Accounts of which not all operations were read back to their beginning yet. */
export function findImports({ overviews }: LiveState): Trouble[] {
  const importing = overviews.filter(({ summary }) => (summary.importsLeft ?? 0) > 0);
  return trouble(
    'importing',
    importing,
    () => 'The operations of the past are still being read.',
    ({ summary, projects }) => ({
      text: summary.account,
      detail: `${summary.importsLeft} of ${projects} projects left`,
    }),
  );
}

type Example = Pick<Trouble['examples'][number], 'text' | 'detail'> & { readonly at?: string | null };

function trouble<Each>(
  kind: Trouble['kind'],
  found: readonly Each[],
  say: (count: number) => string,
  show: (each: Each) => Example,
): Trouble[] {
  if (found.length === 0) return [];
  const examples = found.slice(0, mostExamples).map(each => ({ href: null, at: null, ...show(each) }));
  return [{ kind, count: found.length, summary: say(found.length), href, examples }];
}

function accounts(count: number): string {
  return count === 1 ? 'an account' : `${count} accounts`;
}

function readings(count: number): string {
  return count === 1 ? 'One collector failed' : `${count} collectors failed`;
}
