import type { Condition } from '../../condition/condition.ts';
import { sayTogether } from '../../condition/together.ts';
import type { Trouble } from './overview-answer.ts';

/** So many are named. */
const mostExamples = 3;

/** They are nothing that is wrong: the banner tells them. */
const asMeant: ReadonlySet<Condition['kind']> = new Set([
  ...(['standby', 'shard', 'account_empty', 'account_unread'] as const),
]);

/** The conditions as troubles of now, those of a kind together. */
export function findConditionTroubles(conditions: readonly Condition[]): Trouble[] {
  const byKind = Map.groupBy(
    conditions.filter(({ kind }) => !asMeant.has(kind)),
    ({ kind }) => kind,
  );
  return [...byKind].map(([kind, found]) => {
    const [first] = found;
    return {
      ...{ kind, count: found.length, severity: first?.severity ?? 'info', href: '/health' },
      summary: `${sayTogether(found)}.`,
      headline: sayTogether(found),
      remedy: first?.remedy ?? [],
      when: first?.since == null ? null : { word: 'since', at: first.since },
      action: { label: 'What to do', href: first?.help ?? '/health' },
      examples: found.slice(0, mostExamples).map(describeExample),
    };
  });
}

function describeExample({ kind, account, collector, sentence, cause, since, last_good }: Condition) {
  const text =
    account === null || kind === 'problem_lasting'
      ? sentence
      : collector === null
        ? account
        : `${collector} of ${account}`;
  return { text, href: null, detail: cause ?? (since === null ? '' : 'since'), at: since ?? last_good };
}
