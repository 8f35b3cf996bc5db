import { HistoryBrowser } from '../../history/browse/history-browser.ts';
import { oncePerLook } from '../../history/usage/once-per-look.ts';
import type { ReportHistory } from '../../history/usage/report-history.ts';
import { type MadeReport, makeTogether } from '../../report/maker.ts';
import { type AccountStanding, areWhole, findStandings } from '../../report/standing.ts';
import type { WorkedOut } from '../../report/usage-view/calculator.ts';
import { secondMs } from '../../resources/duration.ts';
import { compact } from '../../resources/field.ts';
import type { ShownUsage } from '../../resources/usage/view.ts';
import { type ConsoleConfig, reportConfigOf, shownFileOf } from '../console-config.ts';
import {
  type FigureLook,
  type FigureName,
  figureReports,
  figuresOf,
} from '../page/project-index/project-figure.ts';
import { indexProjects, type ProjectIndex } from '../page/project-index/project-index.ts';
import { accountsAsked, type ReportQuestion, type ReportSet, type SetQuestion } from './report-set.ts';

/** Makes reports, and the project index that is joined of them: everything that takes longer the larger a fleet is. */
export class ReportMaker {
  readonly #config: ConsoleConfig;
  readonly #history: HistoryBrowser;
  readonly #worked: WorkedOut;

  constructor(config: ConsoleConfig, worked: WorkedOut) {
    this.#config = config;
    this.#history = new HistoryBrowser(shownFileOf(config));
    const viewOfLook = oncePerLook<number, ShownUsage | undefined>();
    this.#worked = {
      view: (history, now) => viewOfLook(history, now, () => worked.view(history, now)),
      get reviewed() {
        return worked.reviewed;
      },
    };
  }

  /** @throws Failure when there is no such report. */
  async set(
    { reports: questions, withUsage = false }: SetQuestion,
    now: number,
    onProgress: () => void = () => {},
  ): Promise<ReportSet> {
    const { made, ...look } = await this.#look(questions, { now, onProgress }, (make, history, at) => ({
      reports: make.map(each => each()),
      ...compact({ usage: withUsage ? this.#worked.view(history(), at) : undefined }),
    }));
    return { ...look, ...made };
  }

  /** All projects. A figure that cannot be worked out is missing, and the others are there. */
  async projects(now: number, withFigures: boolean, onProgress?: () => void): Promise<ProjectIndex> {
    const look = withFigures ? await this.#takeFigures(now, onProgress) : undefined;
    return indexProjects(this.#history, this.#config, look);
  }

  async #takeFigures(now: number, onProgress?: () => void): Promise<FigureLook> {
    const names = figuresOf(this.#config);
    const questions = names.map(name => figureReports[name]);
    const failed: { name: FigureName; message: string }[] = [];
    const { made: reports, ...look } = await this.#look(questions, { now, onProgress }, make => {
      const reports: Partial<Record<FigureName, MadeReport>> = {};
      for (const [index, name] of names.entries()) {
        try {
          Object.assign(reports, { [name]: make[index]?.() });
        } catch (error) {
          failed.push({ name, message: error instanceof Error ? error.message : String(error) });
        }
      }
      return reports;
    });
    return { ...look, reports, failed };
  }

  /** Looks at the history, and makes what is asked for where all that it rests on is whole. */
  async #look<Made>(
    questions: readonly ReportQuestion[],
    { now, onProgress = () => {} }: { readonly now: number; readonly onProgress?: (() => void) | undefined },
    make: (
      reports: Parameters<Parameters<typeof makeTogether>[3]>[0],
      history: () => ReportHistory,
      at: number,
    ) => Made,
  ): Promise<Pick<ReportSet, 'at' | 'accounts'> & { readonly made?: Made }> {
    const config = reportConfigOf(this.#config);
    const at = Math.floor(now / secondMs) * secondMs;
    const names = config.accounts.map(({ name }) => name);
    const asked = accountsAsked(questions);
    const isAsked = ({ account }: AccountStanding) => asked === undefined || asked.has(account);
    const orders = questions.map(each => ({ ...each, config, now }));
    const listeners = { onWarning: () => {}, onProgress, worked: this.#worked };
    const look = await makeTogether(orders, shownFileOf(this.#config), listeners, (reports, open) => {
      const history = () => open(known => (names.length > 0 ? names : known));
      const accounts = findStandings(history()).filter(isAsked);
      // The report refuses the name of an account that is not configured.
      if (accounts.length > 0 && !areWhole(accounts)) return { at, accounts };
      return { at, accounts, made: make(reports, history, at) };
    });
    return look ?? { at, accounts: names.map(unread).filter(isAsked) };
  }

  close(): void {
    this.#history.close();
  }
}

function unread(account: string): AccountStanding {
  return { account, state: 'unread', projects: 0, importsLeft: 0 };
}
