import { historySeparator } from '../../history/file/history-list.ts';
import { type MadeReport, makeReport } from '../../report/maker.ts';
import { secondMs } from '../../resources/duration.ts';
import { isFresh, type Kept } from '../../resources/kept.ts';
import { type ConsoleConfig, reportConfigOf } from '../console-config.ts';
import { type FleetFigures, figureReports, takeFigure } from '../page/fleet/sheet/fleet-figure.ts';
import { joinFleet } from '../page/fleet/sheet/fleet-join.ts';
import type { FleetSheet } from '../page/fleet/sheet/fleet-sheet.ts';
import { openBrowser, type ShownHistory } from '../shown-history.ts';
import type { DeskWork, TakenFigure } from './report-order.ts';

/** Findings that were just found for somebody else are not looked for again. */
const findingRule = { freshMs: 10 * secondMs, restPerWork: 4 };

/** Makes reports, and the table of all projects that is joined of them: everything that takes longer the larger a fleet is. */
export class DeskMaker {
  readonly #config: ConsoleConfig;
  readonly #history: ShownHistory;
  /** The findings, which take longest: they are shown alone, and joined with all projects as well. */
  #found: Kept<MadeReport> | undefined;

  constructor(config: ConsoleConfig) {
    this.#config = config;
    this.#history = openBrowser(config);
  }

  /** @throws Failure when there is no such report. */
  async report(
    { kind, options, now }: DeskWork['report']['asked'],
    onProgress: () => void = () => {},
  ): Promise<MadeReport> {
    const isShared = kind === figureReports.findings.kind && Object.keys(options).length === 0;
    const found = isShared ? this.#found : undefined;
    if (found !== undefined && isFresh(found, findingRule, now)) return found.value;
    const startedAt = performance.now();
    const order = { kind, options, now, config: this.#reportConfig() };
    const value = await makeReport(order, { onWarning: () => {}, onProgress });
    if (isShared) this.#found = { value, madeAt: now, tookMs: performance.now() - startedAt };
    return value;
  }

  /** The figures of a report by project. */
  async figure({ name, now }: DeskWork['figure']['asked'], onProgress?: () => void): Promise<TakenFigure> {
    const report = await this.report({ ...figureReports[name], now }, onProgress);
    return new TextEncoder().encode(JSON.stringify(takeFigure(name, report)));
  }

  /** All projects with figures that were taken before. */
  fleet({ groupings: shown, figures }: DeskWork['fleet']['asked']): FleetSheet {
    const groupings = this.#config.groupings.filter(({ name }) => shown.includes(name));
    const known: FleetFigures = Object.assign(
      {},
      ...figures.map(figure => JSON.parse(new TextDecoder().decode(figure))),
    );
    return joinFleet(this.#history, { ...this.#config, groupings }, known);
  }

  /** The configuration with those of several histories that can be read. */
  #reportConfig() {
    const config = reportConfigOf(this.#config);
    const file = this.#history.usable().join(historySeparator);
    return { ...config, history: { ...config.history, file: file || config.history.file } };
  }

  close(): void {
    this.#history.close();
  }
}
