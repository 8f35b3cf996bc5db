import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HistoryFolder } from '../support/history-folder.ts';
import {
  apiKeysReading,
  projectReading,
  projectsReading,
  type WireItem,
  wireEndpoint,
  wireKey,
  wireOperation,
  wireProject,
} from '../support/reading-builder.ts';
import { runReport } from '../support/report-run.ts';

const at = (text: string) => Date.parse(`2026-${text}:00Z`);
/** The instant of the last poll; the reports are made ten seconds later. */
const lastReadAt = at('11-02T00:00');

const prices = `
pricing:
  currency: EUR
  exchange_rates: [{currency: USD, from: 2026-01-01, rate: 0.92}]
  plans:
    - name: scale
      match: {regions: ["aws-*"]}
      prices:
        - {from: 2026-01-01, per_compute_hour: 0.16}
        - {from: 2026-10-15, per_compute_hour: 0.15}
      included: {compute_hours: 4, per: account}
      minimum: 19
    - name: azure
      match: {regions: ["azure-*"]}
      currency: USD
      prices: [{from: 2026-01-01, per_compute_hour: 0.1}]
`;
const groups = `
groups:
  team:
    web: {projects: [shop]}
    data: {projects: [p-dw]}
`;

/**
 * October of three projects. `shop` used 10 compute hours on the 5th with its first endpoint, and 30 on the 20th with both
 * alike, of which the second is gone a minute later; `p-dw`, whose name is hostile, 5.5 on the 12th; `stray`, which no plan is for,
 * 2 on the 15th with nobody knowing how.
 */
export class SmallHistory implements Disposable {
  readonly #folder = new HistoryFolder();
  readonly configFile = join(this.#folder.path, 'dbpm.yaml');
  readonly file = this.#folder.file;

  constructor({ withPrices = true }: { readonly withPrices?: boolean } = {}) {
    this.write('dbpm.yaml', `${withPrices ? prices : ''}${groups}`);
    const history = this.#folder.open();
    const list = (when: string, [shop, dw, stray]: readonly [number, number, number]) => {
      const fields = { created_at: '2026-10-01T00:00:00Z' };
      const wire = (id: string, name: string, region_id: string, hours: number) =>
        wireProject(id, { ...fields, name, region_id, cpu_used_sec: hours * 3600 });
      const items = [
        wire('p-shop', 'shop', 'aws-eu', shop),
        wire('p-dw', '=dw | "x"\nsecond line', 'azure-eu', dw),
        wire('p-stray', 'stray', 'gcp-eu', stray),
      ];
      history.commitOne(projectsReading(at(when), items));
    };
    const read = (
      when: string,
      id: string,
      endpoints: readonly WireItem[],
      operations: readonly WireItem[],
    ) => history.commitOne(projectReading(at(when), id, { endpoints, operations }));
    history.commitOne(projectsReading(at('09-30T00:00'), []));
    list('10-01T00:00', [0, 0, 0]);
    read('10-01T00:00', 'p-shop', [sized('ep-1', 1), sized('ep-2', 1)], []);
    read('10-01T00:00', 'p-dw', [sized('ep-dw', 0.5)], []);
    read('10-01T00:00', 'p-stray', [], []);
    list('10-05T00:00', [0, 0, 0]);
    list('10-05T10:30', [10, 0, 0]);
    const first = [...awake('ep-1', '10-05T00:00', '10-05T10:00'), failedCheck('10-05T10:20')];
    read('10-05T10:30', 'p-shop', [sized('ep-1', 1), sized('ep-2', 1)], first);
    list('10-12T00:00', [10, 0, 0]);
    list('10-12T12:00', [10, 5.5, 0]);
    read('10-12T12:00', 'p-dw', [sized('ep-dw', 0.5)], awake('ep-dw', '10-12T00:00', '10-12T11:00'));
    list('10-15T00:00', [10, 5.5, 0]);
    list('10-15T12:00', [10, 5.5, 2]);
    list('10-20T00:00', [10, 5.5, 2]);
    list('10-20T15:00', [40, 5.5, 2]);
    const both = ['ep-1', 'ep-2'].flatMap(id => awake(id, '10-20T00:00', '10-20T15:00'));
    read('10-20T15:00', 'p-shop', [sized('ep-1', 1), sized('ep-2', 1)], both);
    read('10-20T15:01', 'p-shop', [sized('ep-1', 1)], []);
    list('11-02T00:00', [40, 5.5, 2]);
    read('11-02T00:00', 'p-shop', [sized('ep-1', 1)], []);
    read('11-02T00:00', 'p-dw', [sized('ep-dw', 0.5)], []);
    history.commitOne(
      apiKeysReading(at('10-20T00:00'), [
        ...keys,
        wireKey(3, { name: 'gone', created_at: '2026-10-01T00:00:00Z' }),
      ]),
    );
    history.commitOne(apiKeysReading(lastReadAt, keys));
    this.#folder.close(history);
  }

  /** @returns the path of a configuration with the same prices, whose days are those of a zone. */
  writeForZone(zone: string, billingPeriod = 'month'): string {
    const ownPrices = prices.replace('pricing:', `pricing:\n  billing_period: ${billingPeriod}`);
    const name = `${zone}-${billingPeriod}.yaml`.replaceAll(/[^\w.-]+/g, '-');
    return this.write(name, `usage: {timezone: ${zone}}\n${ownPrices}${groups}`);
  }

  /** @returns the path of a file beside the history. */
  write(name: string, text: string): string {
    const path = join(this.#folder.path, name);
    writeFileSync(path, text);
    return path;
  }

  async report(line: string, { now = lastReadAt + 10_000, terminal = false, file = this.file } = {}) {
    const made = await runReport(line, { file, now, terminal, configFile: this.configFile });
    const hide = (text: string) => text.replaceAll(this.#folder.path, 'DIR');
    return { ...made, stdout: hide(made.stdout), stderr: hide(made.stderr) };
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}

const keys = [
  wireKey(1, {
    name: 'ci | deploy',
    created_at: '2026-01-01T00:00:00Z',
    last_used_at: '2026-11-01T12:00:00Z',
    last_used_from_addr: '203.0.113.8',
  }),
  wireKey(2, { name: '+forgotten', created_at: '2026-08-04T00:00:00Z' }),
];

function sized(id: string, cu: number): WireItem {
  return wireEndpoint(id, {
    autoscaling_limit_min_cu: cu,
    autoscaling_limit_max_cu: cu,
    created_at: '2026-10-01T00:00:00Z',
  });
}

/** A start and a suspension, each of two seconds. */
function awake(endpoint_id: string, from: string, until: string): readonly WireItem[] {
  const ended = (action: string, when: string) => {
    const fields = { created_at: instant(at(when) - 2000), updated_at: instant(at(when)) };
    return wireOperation(`${action} ${endpoint_id} ${when}`, { endpoint_id, action, ...fields });
  };
  return [ended('suspend_compute', until), ended('start_compute', from)];
}

function failedCheck(when: string): WireItem {
  const times = { created_at: instant(at(when)), updated_at: instant(at(when) + 60_000) };
  return wireOperation(`check ${when}`, {
    ...times,
    action: 'check_availability',
    status: 'failed',
    failures_count: 3,
  });
}

function instant(when: number): string {
  return new Date(when).toISOString();
}
