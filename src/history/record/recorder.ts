import type { Database } from 'better-sqlite3';
import { projectParts } from '../../resources/catalog.ts';
import type { Collector } from '../../resources/collector.ts';
import type { ImplausibleValue } from '../../resources/implausible.ts';
import type {
  ApiKeysReading,
  ConsumptionReading,
  ConsumptionRefusal,
  MeterState,
  OperationImportReading,
  PartReading,
  ProjectPageReading,
  ProjectReading,
  ProjectsReading,
  Reading,
} from '../../resources/reading.ts';
import type { AccountMemory } from '../view/account-memory.ts';
import { ClockHealing } from './clock-healing.ts';
import { CollectorOutcome } from './collector-outcome.ts';
import { CpuSourceRecord } from './cpu-source-record.ts';
import { CpuUseRecord } from './cpu-use-record.ts';
import { EndpointRecord } from './endpoint-record.ts';
import { KeyRecord, type PersonalData } from './key-record.ts';
import { LedgerRecord } from './ledger-record.ts';
import { PartRecord } from './listed-record.ts';
import { ImplausibleRecord, LostFieldRecord } from './lost-value-record.ts';
import { MeterRecord } from './meter-record.ts';
import { isImported, OperationRecord } from './operation-record.ts';
import { PollRecord } from './poll-record.ts';
import { ProjectRecord } from './project-record.ts';
import type { Touched } from './touched.ts';
import type { WordRegister } from './word-register.ts';

/** Writes a reading of any kind through the record of each table; every call happens inside one transaction. */
export class Recorder {
  readonly #projects: ProjectRecord;
  readonly #sources: CpuSourceRecord;
  readonly #endpoints: EndpointRecord;
  readonly #operations: OperationRecord;
  readonly #ledgers: LedgerRecord;
  readonly #keys: KeyRecord;
  readonly #meter: MeterRecord;
  readonly #parts: ReadonlyMap<Collector, PartRecord>;
  readonly #outcomes: CollectorOutcome;
  readonly #implausible: ImplausibleRecord;
  readonly #lost: LostFieldRecord;
  readonly #healing: ClockHealing;
  readonly #polls: PollRecord;
  readonly #perProject: readonly ('endpoints' | 'operations')[];

  /** @param collectors those that are on: a project is refreshed once all of them that read projects did. */
  constructor(
    database: Database,
    words: WordRegister,
    personal: PersonalData,
    collectors: readonly Collector[],
  ) {
    this.#perProject = (['endpoints', 'operations'] as const).filter(each => collectors.includes(each));
    this.#implausible = new ImplausibleRecord(database);
    this.#lost = new LostFieldRecord(database);
    const use = new CpuUseRecord(database, this.#implausible);
    this.#sources = new CpuSourceRecord(database, use, this.#lost);
    this.#projects = new ProjectRecord(database, this.#implausible, use, this.#sources);
    this.#endpoints = new EndpointRecord(database, words, this.#implausible);
    this.#operations = new OperationRecord(database, words, this.#endpoints, this.#implausible, this.#lost);
    this.#ledgers = new LedgerRecord(database);
    this.#keys = new KeyRecord(database, this.#implausible, personal);
    this.#meter = new MeterRecord(database);
    this.#parts = new Map(projectParts.map(part => [part.collector, new PartRecord(database, part)]));
    this.#outcomes = new CollectorOutcome(database);
    this.#healing = new ClockHealing(database);
    this.#polls = new PollRecord(database);
  }

  record(memory: AccountMemory, reading: Reading): Touched {
    switch (reading.kind) {
      case 'project_page':
        return this.#recordItems(memory, reading);
      case 'projects':
        return this.#recordProjects(memory, reading);
      case 'api_keys':
        return this.#recordKeys(memory, reading);
      case 'project':
        return this.#recordProject(memory, reading);
      case 'project_usage':
        return { project_ids: [], stored: this.#sources.recordUsage(memory, reading), keys: false };
      case 'operation_import':
        return this.#recordImport(memory, reading);
      case 'project_gone':
        this.#recordGone(memory.account_ref, [reading.project_id], reading.servedAt);
        return { project_ids: [reading.project_id], keys: false };
      case 'project_part':
        return this.#recordPart(memory, reading);
      case 'consumption':
        return this.#recordConsumption(memory, reading);
      case 'consumption_refused':
        return this.#recordRefusal(memory, reading);
      case 'failure':
        this.#outcomes.recordFailure(memory, reading);
        return { project_ids: [], keys: false };
    }
  }

  /** The state from which the next reading of the meter goes on; undefined before the first. */
  meterState(account_ref: number): MeterState | undefined {
    return this.#meter.state(account_ref);
  }

  /** Values that were held back since this was last asked. */
  takeImplausible(): readonly ImplausibleValue[] {
    return this.#implausible.take();
  }

  #recordItems(memory: AccountMemory, reading: ProjectPageReading | ProjectsReading) {
    const { account_ref } = memory;
    const { leftOut = [] } = reading;
    this.#projects.recordNames(account_ref, leftOut);
    this.#lost.noteItems(account_ref, reading.items);
    const changes = this.#projects.recordItems(account_ref, reading, project_id => memory.get(project_id));
    const project_ids = [...changes.project_ids, ...leftOut.map(({ project_id }) => project_id)];
    return { ...changes, project_ids, keys: false };
  }

  #recordProjects(memory: AccountMemory, reading: ProjectsReading): Touched {
    const listed = new Set(reading.earlierIds);
    for (const { project_id } of [...reading.items, ...(reading.leftOut ?? [])]) listed.add(project_id);
    if (this.#healing.heal(memory.account_ref, reading)) {
      this.#projects.forgetReadings();
      for (const project_id of [...memory.projectIds()]) memory.reloadProject(project_id);
    }
    const { stored, project_ids } = this.#recordItems(memory, reading);
    const gone = reading.complete
      ? [...memory.projectIds()].filter(project_id => !listed.has(project_id))
      : [];
    this.#recordGone(memory.account_ref, gone, reading.servedAt);
    if (reading.complete) this.#projects.recordEnd(memory.account_ref, reading.servedAt);
    if (reading.awaitsMeter) this.#meter.await(memory.account_ref, reading.servedAt);
    this.#sources.recordSource(memory.account_ref, reading.cpuSource ?? 'list');
    memory.freshness.listed(memory.projectIds(), listed, reading);
    this.#outcomes.recordSuccess(memory, reading, 'projects', '', reading.rejected);
    return { project_ids: [...project_ids, ...gone], stored, keys: false };
  }

  #recordKeys(memory: AccountMemory, reading: ApiKeysReading): Touched {
    this.#keys.recordList(memory.account_ref, reading);
    this.#lost.noteItems(memory.account_ref, reading.items);
    this.#outcomes.recordSuccess(memory, reading, 'api_keys', '', reading.rejected);
    return { project_ids: [], keys: true };
  }

  #recordGone(account_ref: number, project_ids: readonly string[], servedAt: number): void {
    for (const project_id of project_ids) {
      this.#projects.recordGone(account_ref, project_id, servedAt);
      const position = this.#polls.find(account_ref, project_id);
      if (position !== undefined) this.#ledgers.end(position.project_ref);
    }
  }

  #recordPart(memory: AccountMemory, reading: PartReading): Touched {
    const { account_ref } = memory;
    const { project_id, collector, list, servedAt } = reading;
    const position = this.#polls.find(account_ref, project_id);
    if (position === undefined) return { project_ids: [], keys: false };
    this.#parts.get(collector)?.recordList(position.project_ref, list, servedAt);
    this.#lost.noteItems(account_ref, list.items);
    this.#outcomes.recordSuccess(memory, reading, collector, project_id, list.rejected);
    return { project_ids: [], refreshed: project_id, keys: false };
  }

  #recordConsumption(memory: AccountMemory, reading: ConsumptionReading): Touched {
    const { totals, lost } = this.#meter.recordPage(memory.account_ref, reading);
    const { end } = reading;
    this.#lost.noteCount(memory.account_ref, 'consumption', lost);
    if (end !== undefined) this.#outcomes.recordSuccess(memory, reading, 'consumption', '', end.rejected);
    const stored = [...totals].flatMap(([project_id, metered]) => {
      const before = memory.get(project_id);
      return before === undefined ? [] : [{ ...before, metered }];
    });
    return { project_ids: [], stored, keys: false };
  }

  /** A service that never offered its meter does not fail at it. */
  #recordRefusal(memory: AccountMemory, refusal: ConsumptionRefusal): Touched {
    const wasOffered = this.#meter.recordRefusal(memory.account_ref, refusal);
    const failure = { ...refusal, kind: 'failure', collector: 'consumption' } as const;
    if (wasOffered) this.#outcomes.recordFailure(memory, failure);
    return { project_ids: [], keys: false };
  }

  #recordProject(memory: AccountMemory, reading: ProjectReading): Touched {
    const { account_ref } = memory;
    const { project_id, servedAt, endpoints, operations } = reading;
    const position = this.#polls.find(account_ref, project_id);
    if (position === undefined) return { project_ids: [], keys: false };
    const { project_ref } = position;
    if (endpoints !== undefined) {
      this.#endpoints.recordList(account_ref, position, endpoints, servedAt);
      this.#lost.noteItems(account_ref, endpoints.items);
      this.#outcomes.recordSuccess(memory, reading, 'endpoints', project_id, endpoints.rejected);
    } else if (reading.unchanged) {
      memory.freshness.confirmed('endpoints', project_id);
    }
    if (operations !== undefined) {
      const transitions = this.#operations.recordRecent(
        account_ref,
        project_ref,
        operations,
        operations.servedAt,
      );
      this.#lost.noteItems(account_ref, operations.items);
      if (isImported(operations)) {
        const observedAt = reading.unchanged ? operations.servedAt : endpoints && servedAt;
        this.#ledgers.record(project_ref, operations.servedAt, observedAt, transitions);
      }
      this.#ledgers.end(project_ref);
      this.#outcomes.recordSuccess(memory, reading, 'operations', project_id, operations.rejected);
    }
    // A collector that is off never reads; a partial poll without news confirms the endpoints.
    const isWhole = this.#perProject.every(
      collector => reading[collector] !== undefined || (collector === 'endpoints' && reading.unchanged),
    );
    this.#polls.write(project_ref, {
      endpointsServedAt: endpoints && servedAt,
      operations: operations?.progress,
      refreshedAt: isWhole ? reading.readAt : undefined,
    });
    return { project_ids: [], refreshed: project_id, keys: false };
  }

  #recordImport(memory: AccountMemory, reading: OperationImportReading): Touched {
    const { project_id, operations, servedAt } = reading;
    const position = this.#polls.find(memory.account_ref, project_id);
    if (position === undefined) return { project_ids: [], keys: false };
    const { project_ref, endpoints_served_at } = position;
    this.#operations.recordReading(memory.account_ref, project_ref, operations, servedAt);
    this.#polls.write(project_ref, { operations: operations.progress });
    this.#lost.noteItems(memory.account_ref, operations.items);
    if (isImported(operations)) {
      this.#ledgers.record(project_ref, servedAt, endpoints_served_at ?? undefined, new Map());
    }
    this.#outcomes.recordSuccess(memory, reading, 'operations', project_id, operations.rejected);
    return { project_ids: [], refreshed: project_id, keys: false };
  }
}
