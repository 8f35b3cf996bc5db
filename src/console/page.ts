import type { GenericSchema, InferInput, InferOutput } from 'valibot';
import type { HistoryBrowser } from '../history/browse/history-browser.ts';
import type { PageRequest } from '../http/console-answer.ts';
import type { Collector } from '../resources/collector.ts';
import type { Condition } from './condition/condition.ts';
import type { ConsoleConfig } from './console-config.ts';
import type { LiveState } from './live-state.ts';
import type { Content, Markup } from './part/html.ts';
import type { WordId } from './part/word/word-list.ts';
import type { RestsOn } from './progress.ts';
import type { ReportCache } from './report-cache/report-cache.ts';

/** Where the figures of pages come from. */
export interface ConsoleSources {
  readonly config: ConsoleConfig;
  readonly history: Pick<HistoryBrowser, 'look' | 'lookOnce'>;
  /** Reports as the command `report` makes them, and all projects with figures of these, kept for a while. */
  readonly reports: Pick<ReportCache, 'ask' | 'askTogether' | 'askSoon' | 'projects'>;
}

/** The moment and the reader that an answer is made for. */
export interface ReadContext {
  /** Epoch milliseconds by the host's clock. */
  readonly now: number;
  readonly live: LiveState;
  /** All that is not as usual, the most urgent first. */
  readonly conditions: readonly Condition[];
  /** The account that the page is of; empty where it is of all. */
  readonly account: string;
  /** Whether the reader may see personal data: addresses of API keys, and who people are. */
  readonly showsPersonal: boolean;
  /** Aborted when the reader waits no longer, and will not ask again; absent where nothing would tell. */
  readonly gone?: AbortSignal | undefined;
}

/** An account whose last reading is older than usual. */
export interface StaleAccount {
  readonly account: string;
  readonly at: string;
}

/** The address and the reader that a page is drawn for. */
export interface DrawContext<Query> extends ReadContext {
  /** The path as it was asked for. */
  readonly path: string;
  /** Nothing on the page is newer than this, as it could not be read since; null where something is. */
  readonly staleAt: string | null;
  /** Accounts without a newer reading, with the instant of the last one. */
  readonly staleAccounts: readonly StaleAccount[];
  /** The state of the page: every address on it that is of the same page keeps it but for what it changes. */
  readonly query: Query;
}

/** What stands at the head of a page beside its title. */
export interface PageHead {
  /** Where the page lies, above its title. */
  readonly crumb?: Content;
  /** Pills and tags beside the title. */
  readonly marks?: Content;
  /** One sentence that says the state. */
  readonly lead?: Content;
  /** Whether the page shows states beside its figures: these are read anew for each reader. */
  readonly hasStates?: boolean;
  /** What can be chosen or done. */
  readonly actions?: Content;
}

/** What the daemon has at hand. */
export interface Countable extends Pick<ReadContext, 'live' | 'conditions'> {
  /** Looks something up in the history; undefined where that cannot be read. */
  readonly lookOnce: ConsoleSources['history']['lookOnce'];
}

/** How much of a page waits to be looked at. */
interface PageCount {
  readonly number: number;
  /** The things that are counted, such as `3 stuck`. */
  readonly what: string;
  readonly isUrgent: boolean;
}

/**
 * A page of the console and the answer of `/api/v1` behind it: both show the same figures, as the page is drawn from the
 * answer and nothing else.
 */
interface DeclaredPage<Query extends GenericSchema, Answer extends GenericSchema> {
  /** The path, with its parameters in braces: `/projects/{account}/{project_id}`. */
  readonly path: string;
  /** The path of the answer below `/api/v1`, where it is another one. */
  readonly apiPath?: string;
  /** The title of the page; a few words. */
  readonly title: string;
  /** A sentence that says which question the page answers. */
  readonly summary: string;
  /** The path of the listed page that it lies below, where its own does not say so. */
  readonly within?: string;
  /** Whether the navigation leads here; not unless told. */
  readonly isListed?: boolean;
  /** The collectors that the page shows something of; the list of projects unless told. What keeps these from being read concerns the page. */
  readonly reads?: readonly Collector[];
  /** The count beside its title in the navigation. */
  readonly count?: (known: Countable) => PageCount;
  /** Words that someone who opens the page for the first time may not know. */
  readonly words?: readonly WordId[];
  /** The parameters of path and query. */
  readonly query: Query;
  readonly answer: Answer;
  readonly read: (
    sources: ConsoleSources,
    query: InferOutput<Query>,
    context: ReadContext,
  ) => Promise<InferInput<Answer>> | InferInput<Answer>;
  /** The title of the page for this answer, where it is not the same for all. */
  readonly titleOf?: (answer: InferOutput<Answer>, context: DrawContext<InferOutput<Query>>) => string;
  readonly head?: (answer: InferOutput<Answer>, context: DrawContext<InferOutput<Query>>) => PageHead;
  /** The instant that all figures of the answer are of; undefined or null where there are none. */
  readonly asOf?: (answer: InferOutput<Answer>) => string | null | undefined;
  /** What the figures of the answer rest on; undefined or null where it has none. */
  readonly restsOn?: (answer: InferOutput<Answer>) => RestsOn | null | undefined;
  /** Whether parts of the answer are still being worked out: the page then renews itself soon. */
  readonly isPart?: (answer: InferOutput<Answer>) => boolean;
  readonly draw: (answer: InferOutput<Answer>, context: DrawContext<InferOutput<Query>>) => Markup;
}

/** A page whatever it asks for and shows. */
export type AnyPage = DeclaredPage<GenericSchema, GenericSchema> & {
  readonly apiPath: string;
  readonly isListed: boolean;
};

/** Declares a page with the types of its own query and answer. */
export function definePage<Query extends GenericSchema, Answer extends GenericSchema>(
  page: DeclaredPage<Query, Answer>,
): AnyPage {
  // Only queries and answers that passed the page's own schemas reach `read` and `draw`.
  return { apiPath: page.path, isListed: false, ...page } as unknown as AnyPage;
}

/** A request for a page, or for the JSON behind one. */
export interface PageQuestion extends PageRequest {
  /** Whether the reader may see personal data: addresses of API keys, and who people are. */
  readonly showsPersonal: boolean;
}
