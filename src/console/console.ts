import * as v from 'valibot';
import { HistoryError } from '../history/file/history-error.ts';
import type { MadePage } from '../http/console-answer.ts';
import { minuteMs, secondMs } from '../resources/duration.ts';
import { findStale, findStaleAccounts } from './banner.ts';
import { offerPeriods } from './chosen-period.ts';
import { describeConditions } from './condition/condition-list.ts';
import { type Content, encode, problemContent } from './encoded-answer.ts';
import { drawLayout, type ShownPage } from './layout.ts';
import type { LiveState } from './live-state.ts';
import { withoutPeople } from './open-source.ts';
import { type Download, downloads, makeFile } from './page/report/report-download.ts';
import type { AnyPage, ConsoleSources, PageQuestion, ReadContext } from './page.ts';
import { PageProblem, PeriodProblem, stillMade } from './page-problem.ts';
import { otherPeriodPicker } from './part/period-picker.ts';
import { drawHeldBack, drawProblem, drawWait } from './part/stand-in.ts';
import { waitAtMost } from './patience.ts';
import { describeRest } from './progress.ts';
import { readQuery } from './query.ts';
import { NotWhole } from './report-cache/report-set.ts';
import { accountOf, apiRoot, type Found, findPlace } from './route.ts';
import { pages } from './site.ts';
import { isApiPath, leadFrom, nothingAt } from './unknown-address.ts';

interface ConsoleOptions {
  readonly sources: ConsoleSources;
  readonly version: string;
  /** How long a reader waits, where that is not as usual; what was asked for goes on being worked out. */
  readonly patienceMs?: number;
}

const pageType = 'text/html; charset=utf-8';
const jsonType = 'application/json; charset=utf-8';

/** A report of a large fleet can take as long; a program asks again less well than a page renews itself. */
const filePatienceMs = 20 * secondMs;
/** Somebody who waits for a page for longer thinks that nothing comes. */
const pagePatienceMs = 4 * secondMs;
const retryAfterS = 10;
/** Older figures are being made anew. */
const oldMs = 2 * minuteMs;
/** A page with parts that are still being worked out, or made anew, is asked for again so soon. */
const renewAfterS = 4;

/** Answers requests for pages of the console and for `/api/v1`. */
export class Console {
  readonly #options: ConsoleOptions;
  /** For readers who may not see who people are. */
  readonly #openSources: ConsoleSources;

  constructor(options: ConsoleOptions) {
    this.#options = options;
    this.#openSources = withoutPeople(options.sources);
  }

  /**
   * @param onFailure told of an error of the program, which the reader is not told.
   * @param gone aborted when the reader waits no longer, and will not ask again.
   */
  async answer(
    question: PageQuestion,
    live: LiveState,
    onFailure: (error: unknown) => void = () => {},
    gone?: AbortSignal,
  ): Promise<MadePage> {
    const conditions = describeConditions(live, this.#options.sources.config);
    const account = accountOf(pages, question);
    const context = { now: live.now, live, conditions, account, showsPersonal: question.showsPersonal, gone };
    const content = await this.#content(question, context, onFailure);
    return encode(content, question, 'private, no-cache');
  }

  async #content(
    question: PageQuestion,
    context: ReadContext,
    onFailure: (error: unknown) => void,
  ): Promise<Content> {
    const { path } = question;
    const found = findPlace(pages, path);
    try {
      if (path === `${apiRoot}/openapi.json`) {
        // Few ever ask for it, and it brings a library.
        const { describeApi } = await import('./api/open-api.ts');
        return { status: 200, type: jsonType, text: JSON.stringify(await describeApi(pages)) };
      }
      const download = findPlace(downloads, path);
      if (download !== undefined) return await this.#inTime(this.#answerFile(download, question, context));
      const elsewhere = leadFrom(path);
      if (elsewhere !== undefined) return elsewhere;
      if (found === undefined) throw nothingAt(path);
      const answer = this.#answerPage(found, question, context);
      if (found.isApi) return await this.#inTime(answer);
      const { patienceMs = pagePatienceMs } = this.#options;
      return await waitAtMost(answer, patienceMs, () => this.#standIn(found.place, question, context));
    } catch (error) {
      if (error instanceof NotWhole) return this.#tellProgress(error, question, context, found);
      const isTold = error instanceof PageProblem;
      if (!isTold) onFailure(error);
      const problem = isTold
        ? error
        : new PageProblem(503, titleOfFailure(error), 'The log of the daemon says why.', [
            'try again in a minute',
          ]);
      const again = problem.status === 503 ? retryAfterS : undefined;
      const headers = again === undefined ? {} : { 'Retry-After': String(again) };
      if (isApiPath(path)) return { ...problemContent(problem), headers };
      const back = found?.place.isListed === true ? found.place.path : undefined;
      const body = drawProblem(problem, titleOf, back);
      const head = problem instanceof PeriodProblem ? this.#offerOthers(question, context) : undefined;
      // A banner of the page's place says what is known of a failure of the daemon.
      const page = isTold ? undefined : found?.place;
      const shown = { title: problem.title, head, body, page, renewAfterS: again };
      return { ...this.#page(shown, question, context, problem.status), headers };
    }
  }

  /** The head of a page whose period cannot be shown. */
  #offerOthers({ path, search }: PageQuestion, { now }: ReadContext): ShownPage['head'] {
    const offered = offerPeriods(this.#options.sources.config, now);
    return { actions: otherPeriodPicker(path, search, offered) };
  }

  /** @throws PageProblem when it is not there in time. */
  #inTime(content: Promise<Content>): Promise<Content> {
    return waitAtMost(content, this.#options.patienceMs ?? filePatienceMs, () => {
      throw stillMade();
    });
  }

  /** A page that is not there in time, with its name and its place, which renews itself until it is. */
  #standIn(page: AnyPage, question: PageQuestion, context: ReadContext): Content {
    return this.#page({ title: page.title, body: drawWait(), page, renewAfterS }, question, context, 202);
  }

  /** In place of figures that would rest on a part of the past: how far the reading is, and when it will be done. */
  #tellProgress(
    { accounts }: NotWhole,
    question: PageQuestion,
    context: ReadContext,
    found: Found<AnyPage> | undefined,
  ): Content {
    const restsOn = describeRest(accounts, context);
    if (found !== undefined && !found.isApi) {
      const { place: page } = found;
      const body = drawHeldBack(restsOn);
      return this.#page({ title: page.title, body, page, restsOn, renewAfterS }, question, context);
    }
    const detail = restsOn.accounts.map(({ summary }) => summary).join(' ');
    const problem = problemContent(new PageProblem(503, 'Not all of it was read yet', detail), {
      rests_on: restsOn,
    });
    return { ...problem, headers: { 'Retry-After': String(renewAfterS) } };
  }

  async #answerPage(
    { place: page, parameters, isApi }: Found<AnyPage>,
    question: PageQuestion,
    context: ReadContext,
  ): Promise<Content> {
    const query = readQuery(page.query, parameters, question.search);
    const answer = v.parse(page.answer, await page.read(this.#sourcesFor(context), query, context));
    if (isApi) return { status: 200, type: jsonType, text: JSON.stringify(answer) };
    const concerned = { ...context, page, accounts: this.#accounts };
    const staleAt = findStale(concerned) ?? null;
    const staleAccounts = findStaleAccounts(concerned);
    const shown = { ...context, path: question.path, query, staleAt, staleAccounts };
    const asOf = page.asOf?.(answer) ?? undefined;
    const isOld = asOf !== undefined && context.now - Date.parse(asOf) >= oldMs;
    const drawn = {
      title: page.titleOf?.(answer, shown) ?? page.title,
      head: page.head?.(answer, shown),
      body: page.draw(answer, shown),
      page,
      asOf,
      restsOn: page.restsOn?.(answer) ?? undefined,
      renewAfterS: isOld || page.isPart?.(answer) === true ? renewAfterS : undefined,
    };
    return this.#page(drawn, question, context);
  }

  async #answerFile(
    { place, parameters }: Found<Download>,
    { search }: PageQuestion,
    context: ReadContext,
  ): Promise<Content> {
    const query = readQuery(place.query, parameters, search);
    const { name, type, text } = await makeFile(place, this.#sourcesFor(context), query, context);
    // Names of periods and accounts come from outside.
    const saved = name.replaceAll(/[^\w.-]+/g, '-');
    return { status: 200, type, text, headers: { 'Content-Disposition': `attachment; filename="${saved}"` } };
  }

  /** The sources for a reader, whose reports are dropped when that one is gone. */
  #sourcesFor({ showsPersonal, gone }: ReadContext): ConsoleSources {
    const sources = showsPersonal ? this.#options.sources : this.#openSources;
    const { reports } = sources;
    return {
      ...sources,
      reports: {
        ask: (kind, options) => reports.ask(kind, options, gone),
        askTogether: question => reports.askTogether(question, gone),
        askSoon: question => reports.askSoon(question, gone),
        projects: () => reports.projects(gone),
      },
    };
  }

  get #accounts(): readonly string[] {
    return this.#options.sources.config.accounts.map(({ name }) => name);
  }

  #page(
    shown: ShownPage,
    { path, search }: PageQuestion,
    { live, conditions, account }: ReadContext,
    status = 200,
  ): Content {
    const { version, sources } = this.#options;
    const { config, history } = sources;
    const text = drawLayout({
      ...{ ...shown, path, search, version, telemetryPath: config.web.telemetryPath, pages },
      ...{ live, conditions, history, account, accounts: this.#accounts },
    });
    return { status, type: pageType, text };
  }
}

function titleOf(address: string): string | undefined {
  return pages.find(({ path, isListed }) => isListed && path === address)?.title;
}

function titleOfFailure(error: unknown): string {
  return error instanceof HistoryError ? 'The history cannot be read' : 'This could not be worked out';
}
