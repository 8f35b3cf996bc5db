import type { Cause } from '../../cost/difference/cause.ts';
import { sayDuration } from '../../cost/finding/phrase.ts';
import { addDecimals, isSome } from '../../cost/money/decimal-sum.ts';
import { subtractAmounts } from '../../cost/money/money.ts';
import { writeMoney } from '../../cost/money/money-text.ts';
import { maxOf } from '../../resources/min-max.ts';
import type { DecimalText } from '../../resources/price-book.ts';
import { subtractShown } from '../format/cost-text.ts';
import { periodPhrase } from '../format/period-name.ts';
import { showInstant } from '../format/shown-cell.ts';
import { valueKinds } from '../format/value-kind.ts';
import type { ReportRequest } from '../request.ts';
import { describeCause, nameCause, namePart, severalEndpoints } from './cause-text.ts';
import { largestOf, type ShownCause, sizeOf } from './shown-cause.ts';

/** Two bills as they are shown, and what makes the difference. */
interface ShownBills {
  readonly before: DecimalText;
  readonly after: DecimalText;
  readonly difference: DecimalText;
  readonly causes: readonly ShownCause[];
}

interface SentenceContext {
  readonly request: ReportRequest;
  readonly against: NonNullable<ReportRequest['against']>;
  /** Absent where differences are compute hours. */
  readonly currency: string | undefined;
  readonly decimals: number;
}

const mostCauses = 3;
/** A cause that makes less of the largest one is not worth a sentence. */
const leastShare = 0.1;

/** What the difference is and what it comes from, in a few sentences that add up: the largest causes first. */
export function summarizeDifference(bills: ShownBills, context: SentenceContext): string[] {
  const { request, against } = context;
  const cut =
    against.isShortened === true
      ? [
          `Each is compared over ${sayDuration(request.span.untilAt - request.span.fromAt)} from its beginning, as one of them is not over.`,
        ]
      : [];
  return [sayDifference(bills, context), ...cut, ...sayCauses(bills, context)];
}

/** What a period cost, where there is nothing to compare it with. */
export function sayUnknown({ after }: ShownBills, { currency, request, against }: SentenceContext): string[] {
  return [
    `${writeAmount(after, currency)} in ${periodPhrase(request.span.label)}. Too little is known to compare it with ${periodPhrase(against.span.label)}.`,
  ];
}

function sayDifference(
  { before, after, difference }: ShownBills,
  { currency, against, request }: SentenceContext,
): string {
  const [is, was] = [request, against].map(({ span }) => periodPhrase(span.label));
  const now = writeAmount(after, currency);
  const old = currency === undefined ? valueKinds.decimal.show(before, '') : writeMoney(before, currency);
  return isSome(difference)
    ? `${sayMore(difference, currency)} in ${is} than in ${was}: ${now} instead of ${old}.`
    : `${now} in ${is}, as much as in ${was}.`;
}

function sayCauses(
  { difference, causes }: ShownBills,
  { request, currency, decimals }: SentenceContext,
): string[] {
  const asked = causes.flatMap(each => splitPrice(each, decimals));
  const [days = [], others = []] = [true, false].map(isMeant =>
    asked.filter(each => isDays(each) === isMeant),
  );
  const largest = largestOf(others, mostCauses);
  const leading = largest.flatMap(nameLone).toSorted((a, b) => sizeOf(b) - sizeOf(a));
  const least = leastShare * maxOf([0, ...leading.map(sizeOf)]);
  const named = [...leading, ...days].filter(each => isSome(each.difference) && sizeOf(each) >= least);
  const showAt = (at: number) => showInstant(at, request.span.timezone);
  const several = severalEndpoints(largest.map(({ cause }) => cause));
  const said = addDecimals(named.map(each => each.difference)) ?? '0';
  const rest = subtractShown(difference, said, decimals) ?? '';
  return [
    ...named.map(each => {
      const about = { showAt, several };
      return each.cause.kind === 'project'
        ? sayProject(each, { ...about, currency, decimals })
        : `${sayMore(each.difference, currency)} ${describeCause(each.cause, about)}.`;
    }),
    ...(named.length > 0 && asked.length > named.length && isSome(rest)
      ? [`${sayMore(rest, currency)} from all else.`]
      : []),
  ];
}

/** What a project makes in all, as its row has it, and the largest of its causes with what is left. */
function sayProject(
  { cause, children, difference }: ShownCause,
  {
    currency,
    decimals,
    several,
  }: Pick<SentenceContext, 'currency' | 'decimals'> & Pick<Parameters<typeof describeCause>[1], 'several'>,
): string {
  const least = leastShare * maxOf(children.map(sizeOf));
  const named = largestOf(children, mostCauses)
    .filter(each => isSome(each.difference) && sizeOf(each) >= least)
    .toSorted((a, b) => sizeOf(b) - sizeOf(a));
  const rest =
    subtractShown(difference, addDecimals(named.map(each => each.difference)) ?? '0', decimals) ?? '';
  const parts = [
    ...named.map(each => `${namePart(each.cause, several)} ${sayMore(each.difference, currency)}`),
    ...(isSome(rest) ? [`all else ${sayMore(rest, currency)}`] : []),
  ];
  return `${sayMore(difference, currency)} from ${nameCause(cause)}: ${parts.join(', ')}.`;
}

/** The only cause of a project that shows, in place of it: it is what a person asks for. */
function nameLone(shown: ShownCause): readonly ShownCause[] {
  if (shown.cause.kind !== 'project') return [shown];
  const seen = shown.children.filter(each => isSome(each.difference));
  return seen.length > 1 ? [shown] : seen;
}

/** Another price of a thing apart from its use. */
function splitPrice(shown: ShownCause, decimals: number): readonly ShownCause[] {
  const { cause, difference } = shown;
  if (cause.kind === 'project') return [shown];
  const price = shown.children.find(each => each.cause.kind === 'price');
  if (price === undefined) return [shown];
  const rest: Cause = { ...cause, amount: subtractAmounts(cause.amount, price.cause.amount) };
  return [
    { ...price, cause: { ...price.cause, name: cause.name ?? '' } },
    { ...shown, cause: rest, difference: subtractShown(difference, price.difference, decimals) ?? '' },
  ];
}

/** Whether it is the length of the periods, which comes last: it is no change of use. */
function isDays({ cause }: ShownCause): boolean {
  return cause.kind === 'days';
}

function sayMore(decimal: DecimalText, currency: string | undefined): string {
  return `${writeAmount(decimal.replace('-', ''), currency)} ${decimal.startsWith('-') ? 'less' : 'more'}`;
}

function writeAmount(decimal: DecimalText, currency: string | undefined): string {
  return currency === undefined
    ? `${valueKinds.decimal.show(decimal, '')} compute hours`
    : writeMoney(decimal, currency);
}
