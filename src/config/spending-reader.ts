import * as v from 'valibot';
import { findingKinds, projectFindingKinds } from '../resources/finding.ts';
import type { IgnoredFinding } from '../resources/finding-rule.ts';
import { matchesGlob } from '../resources/glob.ts';
import type { Grouping } from '../resources/grouping.ts';
import { type InvoiceRules, invoiceKinds, readTolerance, type Tolerance } from '../resources/invoice-rule.ts';
import type { PriceBook } from '../resources/price-book.ts';
import type { SpendingBudget } from '../resources/spending-budget.ts';
import { dateOf } from '../resources/utc-date.ts';
import { readSpendingBudgets } from './budget-reader.ts';
import { listGroupNames, readGroupings } from './grouping-reader.ts';
import { readNode } from './node-reader.ts';
import { type PriceBookReading, readPriceBook } from './price-book-reader.ts';
import type { Problem } from './problem.ts';
import {
  group,
  hasEntries,
  isGroupOrNothing,
  items,
  list,
  type Placed,
  placed,
  problemCheck,
  type Schema,
  single,
} from './schema.ts';
import { ignoreKey } from './setting.ts';
import { withShippedBook } from './shipped-book.ts';
import { adviseOn, currency, date, globs, spendingName } from './spending-schema.ts';
import { childOf, entriesOf, itemsOf, nodeProblem, showNode, type WrittenNode } from './written-node.ts';

const invoiceColumn = v.exactOptional(spendingName);

const toleranceAdvice = 'write an amount such as 0.01, or a share such as 0.5%';
const tolerance: Schema<Tolerance> = single(
  toleranceAdvice,
  v.pipe(
    v.string(),
    v.transform(readTolerance),
    v.custom<Tolerance>(read => read !== undefined),
  ),
  { accepts: ['string', 'number'] },
);

const invoiceLine = group('write match and as', {
  match: globs('write a list of descriptions, where * stands for anything'),
  as: single(`write one of ${invoiceKinds.join(', ')}`, v.picklist(invoiceKinds)),
  plan: v.exactOptional(spendingName),
  name: v.exactOptional(spendingName),
});

const invoiceSchema = group(
  'write columns, lines, currency, decimal or tolerance below "reconcile:", indented',
  {
    columns: v.exactOptional(
      group('write description, quantity, unit_price, amount or project, each with the name of a column', {
        description: invoiceColumn,
        quantity: invoiceColumn,
        unit_price: invoiceColumn,
        amount: invoiceColumn,
        project: invoiceColumn,
      }),
    ),
    lines: v.exactOptional(list('write a list, each rule after a "- "', invoiceLine, 'any number')),
    currency: v.exactOptional(currency),
    decimal: v.exactOptional(single('write point or comma', v.picklist(['point', 'comma']))),
    tolerance: v.exactOptional(tolerance),
  },
  isGroupOrNothing,
);

/** The section `reconcile`, after adding to `problems` what is wrong with it. */
function readInvoiceRules(node: WrittenNode | undefined, problems: Problem[]): InvoiceRules {
  const read = (node && readNode(invoiceSchema, node, problems)) ?? {};
  return { columns: {}, lines: [], decimal: 'point', ...read };
}

const ignoreAdvice = 'write projects or kinds, each with a list, and until with a date if it is not for ever';
const kinds = [...findingKinds, ...projectFindingKinds];
const kindAdvice = `write some of ${kinds.join(', ')}`;

const ignoreEntry = v.pipe(
  placed(
    group(
      ignoreAdvice,
      {
        projects: v.exactOptional(
          globs('write a list of names or ids of projects, where * stands for anything'),
        ),
        kinds: v.exactOptional(items(kindAdvice, v.picklist(kinds))),
        until: v.exactOptional(placed(date)),
      },
      hasEntries,
    ),
  ),
  problemCheck(({ node, value: { projects, kinds } }) =>
    projects === undefined && kinds === undefined
      ? [nodeProblem(node, 'neither projects nor kinds', 'write which findings to ignore')]
      : [],
  ),
  v.transform(({ value }) => value),
);

type SpendingReading = Omit<PriceBookReading, 'groupNames'>;

/** The list `findings.ignore`, after adding to `problems` what is wrong with it, and to `warnings` what is over. */
function readIgnoredFindings(
  node: WrittenNode | undefined,
  { now, problems, warnings }: Omit<SpendingReading, 'accounts'>,
): readonly IgnoredFinding[] {
  if (node === undefined) return [];
  const schema = list('write a list, each entry after a "- "', ignoreEntry, 'any number');
  const entries = readNode(schema, node, problems) ?? [];
  warnings.push(...entries.flatMap(({ until }) => warnOfEnd(until, now)));
  return entries.map(({ until, ...ignored }) => ({
    ...ignored,
    ...(until !== undefined && { untilAt: until.value }),
  }));
}

function warnOfEnd(until: Placed<number> | undefined, now: number): Problem[] {
  if (until === undefined || until.value > now) return [];
  const found = `${dateOf(until.value)}, which is over: these findings are shown again`;
  return [nodeProblem(until.node, found, 'leave the entry out, or write a later date')];
}

/** Prices of usage, groups that share the cost, budgets, and the findings to be ignored. */
export interface Spending {
  readonly pricing?: PriceBook;
  readonly groupings: readonly Grouping[];
  readonly budgets: readonly SpendingBudget[];
  readonly ignoredFindings: readonly IgnoredFinding[];
  /** How invoices are read that costs are compared with. */
  readonly invoices: InvoiceRules;
}

/** The sections `pricing`, `groups`, `budgets` and `reconcile` of a file, and its `findings.ignore`, after adding to `problems` what is wrong with them. */
export function readSpending(written: WrittenNode, { accounts, ...reading }: SpendingReading): Spending {
  const root = withShippedBook(written);
  const { problems, warnings } = reading;
  const groupsNode = childOf(root, 'groups');
  const groupNames = listGroupNames(groupsNode);
  const pricing = readPriceBook(childOf(root, 'pricing'), { groupNames, accounts, ...reading });
  const groupings = readGroupings(groupsNode, problems);
  if (accounts !== undefined) warnings.push(...warnOfStrayAccounts(root, accounts));
  const hasPlans = itemsOf(childOf(root, 'pricing.plans')).length > 0;
  const budgets = readSpendingBudgets(childOf(root, 'budgets'), { groupNames, hasPlans, accounts }, problems);
  const ignoredFindings = readIgnoredFindings(childOf(root, ignoreKey), reading);
  const invoices = readInvoiceRules(childOf(root, 'reconcile'), problems);
  return { ...(pricing && { pricing }), groupings, budgets, ignoredFindings, invoices };
}

/** Warns of accounts in the matches of plans and groups that are not configured; the history may know them still. */
function warnOfStrayAccounts(root: WrittenNode, accounts: readonly string[]): Problem[] {
  const plans = itemsOf(childOf(root, 'pricing.plans'));
  const groups = entriesOf(childOf(root, 'groups')).flatMap(grouping => entriesOf(grouping.node));
  const matches = [...plans.flatMap(plan => childOf(plan, 'match') ?? []), ...groups.map(({ node }) => node)];
  return matches
    .flatMap(match => itemsOf(childOf(match, 'accounts')))
    .filter(item => item.kind === 'value' && !accounts.some(name => matchesGlob(item.text, name)))
    .map(item => {
      const found = `${showNode(item)}, an account that is not configured`;
      return nodeProblem(item, found, adviseOn(accounts, 'configure it in accounts'));
    });
}

/** The value, frozen with all its parts. */
export function freeze<Value extends object>(value: Value): Value {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) freeze(part);
  return Object.freeze(value);
}
