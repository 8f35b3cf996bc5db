import type { Database } from 'better-sqlite3';
import { projectParts } from '../../resources/catalog.ts';
import type { Collector } from '../../resources/collector.ts';
import type { HasLostFields } from '../../resources/declared-field.ts';
import type {
  ConsumptionReading,
  ConsumptionRefusal,
  ListReading,
  OperationImportReading,
  PartReading,
  ProjectPageReading,
  ProjectReading,
  ProjectsReading,
  Reading,
} from '../../resources/reading.ts';
import type { HistoryOptions } from '../history-options.ts';
import type { KnownAccount, Outcome } from '../snapshot/known-account.ts';
import { ApiKeys } from './api-key.ts';
import { clockHealingOf } from './clock-healing.ts';
import { CpuSamples } from './cpu-sample.ts';
import { CpuSources } from './cpu-source.ts';
import { CpuUse } from './cpu-use.ts';
import { Endpoints } from './endpoint.ts';
import { EndpointLedgers } from './endpoint-ledger.ts';
import { partItemsOf } from './listed-items.ts';
import { ImplausibleValues, LostFields } from './lost-value.ts';
import { MeterLedger } from './meter-ledger.ts';
import { isImported, Operations } from './operation.ts';
import { collectorOutcomesOf, polledProjects } from './poll-outcome.ts';
import { Projects } from './project.ts';
import type { WordRegister } from './word-register.ts';

/** Holds a reading of any kind against what is known, and writes what changed. All calls happen inside one transaction. */
export class ReadingCommit {
  readonly keys: ApiKeys;
  readonly meter: MeterLedger;
  readonly implausible: ImplausibleValues;
  readonly #projects: Projects;
  readonly #sources: CpuSources;
  readonly #endpoints: Endpoints;
  readonly #operations: Operations;
  readonly #ledgers: EndpointLedgers;
  readonly #commitItemsOf: ReadonlyMap<Collector, ReturnType<typeof partItemsOf>>;
  readonly #outcomes;
  readonly #lost: LostFields;
  readonly #heal;
  readonly #polls;
  readonly #perProject: readonly ('endpoints' | 'operations')[];

  /** @param options with the collectors that are on: a project is refreshed once all of them that read projects did. */
  constructor(database: Database, words: WordRegister, options: HistoryOptions) {
    const perProject = ['endpoints', 'operations'] as const;
    this.#perProject = perProject.filter(each => options.collectors.includes(each));
    this.implausible = new ImplausibleValues(database);
    this.#lost = new LostFields(database);
    const samples = new CpuSamples(database);
    const use = new CpuUse(database, samples, this.implausible);
    this.#sources = new CpuSources(database, use, this.#lost);
    this.#projects = new Projects(database, this.implausible, { samples, use, sources: this.#sources });
    this.#endpoints = new Endpoints(database, words, this.implausible);
    this.#operations = new Operations(database, words, this.#endpoints, this.implausible, this.#lost);
    this.#ledgers = new EndpointLedgers(database);
    this.keys = new ApiKeys(database, this.implausible, options);
    this.meter = new MeterLedger(database);
    this.#commitItemsOf = new Map(projectParts.map(part => [part.collector, partItemsOf(database, part)]));
    this.#outcomes = collectorOutcomesOf(database);
    this.#heal = clockHealingOf(database);
    this.#polls = polledProjects(database);
  }

  commit(known: KnownAccount, reading: Reading): Outcome {
    const { account_ref } = known;
    switch (reading.kind) {
      case 'project_page':
        return this.#commitItems(known, reading);
      case 'projects':
        return this.#commitProjects(known, reading);
      case 'api_keys':
        this.keys.commit(account_ref, this.keys.diff(account_ref, reading));
        this.#noteList(known, reading, 'api_keys', reading);
        return { keys: true };
      case 'project':
        return this.#commitProject(known, reading);
      case 'project_usage':
        return { stored: this.#sources.commitUsage(known, reading) };
      case 'operation_import':
        return this.#commitImport(known, reading);
      case 'project_gone':
        return this.#commitGone(known, [reading.project_id], reading.servedAt);
      case 'project_part':
        return this.#commitPart(known, reading);
      case 'consumption':
        return this.#commitConsumption(known, reading);
      case 'consumption_refused':
        return this.#commitRefusal(known, reading);
      case 'failure':
        this.#outcomes.fail(known, reading);
        return {};
    }
  }

  #commitItems(known: KnownAccount, reading: ProjectPageReading | ProjectsReading) {
    const { account_ref } = known;
    const { leftOut = [] } = reading;
    this.#projects.rename(account_ref, leftOut);
    this.#lost.noteItems(account_ref, reading.items);
    const changes = this.#projects.commit(account_ref, reading, project_id => known.get(project_id));
    return {
      ...changes,
      project_ids: [...changes.project_ids, ...leftOut.map(({ project_id }) => project_id)],
    };
  }

  #commitProjects(known: KnownAccount, reading: ProjectsReading): Outcome {
    const { account_ref } = known;
    const { servedAt, complete } = reading;
    const listed = new Set(reading.earlierIds);
    for (const { project_id } of [...reading.items, ...(reading.leftOut ?? [])]) listed.add(project_id);
    if (this.#heal(account_ref, reading)) {
      this.#projects.forgetReadings();
      for (const project_id of [...known.projectIds()]) known.reloadProject(project_id);
    }
    const { stored, project_ids } = this.#commitItems(known, reading);
    const gone = complete ? [...known.projectIds()].filter(project_id => !listed.has(project_id)) : [];
    this.#commitGone(known, gone, servedAt);
    if (complete) this.#projects.endList(account_ref, servedAt);
    if (reading.awaitsMeter) this.meter.await(account_ref, servedAt);
    this.#sources.commitSource(account_ref, reading.cpuSource ?? 'list');
    known.freshness.listed(known.projectIds(), listed, reading);
    this.#outcomes.succeed(known, reading, 'projects', reading.rejected);
    return { project_ids: [...project_ids, ...gone], stored };
  }

  #commitGone({ account_ref }: KnownAccount, project_ids: readonly string[], servedAt: number): Outcome {
    for (const project_id of project_ids) {
      this.#projects.commitGone(account_ref, project_id, servedAt);
      const polled = this.#polls.find(account_ref, project_id);
      if (polled !== undefined) this.#ledgers.end(polled.project_ref);
    }
    return { project_ids };
  }

  #commitPart(known: KnownAccount, reading: PartReading): Outcome {
    const { project_id, collector, list, servedAt } = reading;
    const polled = this.#polls.find(known.account_ref, project_id);
    if (polled === undefined) return {};
    this.#commitItemsOf.get(collector)?.(polled.project_ref, list, servedAt);
    this.#noteList(known, reading, collector, list, project_id);
    return { refreshed: project_id };
  }

  #commitConsumption(known: KnownAccount, reading: ConsumptionReading): Outcome {
    const { totals, lost } = this.meter.commitPage(known.account_ref, reading);
    const { end } = reading;
    this.#lost.note(known.account_ref, 'consumption', lost);
    if (end !== undefined) this.#outcomes.succeed(known, reading, 'consumption', end.rejected);
    const stored = [...totals].flatMap(([project_id, metered]) => {
      const before = known.get(project_id);
      return before === undefined ? [] : [{ ...before, metered }];
    });
    return { stored };
  }

  /** A service that never offered its meter does not fail at it. */
  #commitRefusal(known: KnownAccount, refusal: ConsumptionRefusal): Outcome {
    const wasOffered = this.meter.commitRefusal(known.account_ref, refusal);
    if (wasOffered) this.#outcomes.fail(known, { ...refusal, kind: 'failure', collector: 'consumption' });
    return {};
  }

  #commitProject(known: KnownAccount, reading: ProjectReading): Outcome {
    const { account_ref } = known;
    const { project_id, servedAt, endpoints, operations } = reading;
    const polled = this.#polls.find(account_ref, project_id);
    if (polled === undefined) return {};
    const { project_ref } = polled;
    if (endpoints !== undefined) {
      const diff = this.#endpoints.diff(account_ref, project_ref, endpoints, servedAt);
      this.#endpoints.commit(account_ref, diff, polled.endpoints_served_at);
      this.#noteList(known, reading, 'endpoints', endpoints, project_id);
    } else if (reading.unchanged) {
      known.freshness.confirmed('endpoints', project_id);
    }
    if (operations !== undefined) {
      const transitions = this.#operations.commitNewest(account_ref, project_ref, operations);
      if (isImported(operations)) {
        const observedAt = reading.unchanged ? operations.servedAt : endpoints && servedAt;
        this.#ledgers.commit(project_ref, operations.servedAt, observedAt, transitions);
      }
      this.#ledgers.end(project_ref);
      this.#noteList(known, reading, 'operations', operations, project_id);
    }
    // A collector that is off never reads; a partial poll without news confirms the endpoints.
    const isWhole = this.#perProject.every(
      collector => reading[collector] !== undefined || (collector === 'endpoints' && reading.unchanged),
    );
    this.#polls.commit(polled, {
      endpointsServedAt: endpoints && servedAt,
      operations: operations?.progress,
      refreshedAt: isWhole ? reading.readAt : undefined,
    });
    return { refreshed: project_id };
  }

  #commitImport(known: KnownAccount, reading: OperationImportReading): Outcome {
    const { project_id, operations, servedAt } = reading;
    const polled = this.#polls.find(known.account_ref, project_id);
    if (polled === undefined) return {};
    const { project_ref, endpoints_served_at } = polled;
    this.#operations.commit(known.account_ref, project_ref, operations, servedAt);
    this.#polls.commit(polled, { operations: operations.progress });
    if (isImported(operations)) {
      this.#ledgers.commit(project_ref, servedAt, endpoints_served_at ?? undefined, new Map());
    }
    this.#noteList(known, reading, 'operations', operations, project_id);
    return { refreshed: project_id };
  }

  /** Notes that a list was read, and what was lost of it. */
  #noteList(
    known: KnownAccount,
    reading: Reading,
    collector: Collector,
    { items, rejected }: Pick<ListReading<HasLostFields>, 'items' | 'rejected'>,
    project_id?: string,
  ): void {
    this.#lost.noteItems(known.account_ref, items);
    this.#outcomes.succeed(known, reading, collector, rejected, project_id);
  }
}
