import { mkdtempSync, openAsBlob, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from './free-port.ts';
import { startPeerProcess } from './peer-process.ts';

/** A series with its samples as they were taken. */
interface RawSeries {
  readonly metric: Readonly<Record<string, string>>;
  readonly values: readonly (number | null)[];
  /** Epoch milliseconds. */
  readonly timestamps: readonly number[];
}

/** A real VictoriaMetrics. */
export interface VictoriaMetrics {
  readonly writeUrl: string;
  /** The samples of the series that a selector names, as they were taken. */
  exportRaw(selector: string): Promise<readonly RawSeries[]>;
  /** Samples that were taken by remote write, however often each. */
  countTaken(): Promise<number>;
  /** The values of an instant query. */
  query(expression: string): Promise<readonly number[]>;
  /** Makes what was taken visible to queries. */
  flush(): Promise<void>;
  /** Takes the text of an exposition with timestamps in milliseconds. */
  importText(file: string): Promise<void>;
  /** What all that was taken takes on the disk, with its index, once it is merged as far as it ever is. */
  mergedBytes(): Promise<number>;
  close(): Promise<void>;
}

/**
 * Starts a VictoriaMetrics on a free loopback port, with its data in a temporary folder.
 *
 * @param flags besides those that it needs.
 */
export async function startVictoriaMetrics(
  binary: string,
  flags: readonly string[] = [],
): Promise<VictoriaMetrics> {
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-victoria-'));
  const address = `127.0.0.1:${await findFreePort()}`;
  const args = [
    `-storageDataPath=${folder}`,
    `-httpListenAddr=${address}`,
    '-retentionPeriod=10y',
    '-loggerLevel=ERROR',
    ...flags,
  ];
  const { url, stop } = await startPeerProcess('VictoriaMetrics', binary, args, address);
  return {
    writeUrl: `${url}/api/v1/write`,
    async exportRaw(selector) {
      const response = await fetch(`${url}/api/v1/export`, {
        method: 'POST',
        body: new URLSearchParams({ 'match[]': selector }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(text);
      const lines = text.split('\n').filter(line => line !== '');
      return joinLines(lines.map(line => JSON.parse(line) as RawSeries));
    },
    async countTaken() {
      const text = await (await fetch(`${url}/metrics`)).text();
      return Number(/^vm_rows_inserted_total\{type="promremotewrite"\} (\d+)$/m.exec(text)?.[1] ?? 0);
    },
    async query(query) {
      const response = await fetch(`${url}/api/v1/query?${new URLSearchParams({ query })}`);
      const { data } = (await response.json()) as { data: { result: { value: [number, string] }[] } };
      return data.result.map(({ value }) => Number(value[1]));
    },
    async flush() {
      await fetch(`${url}/internal/force_flush`);
    },
    async importText(file) {
      const body = await openAsBlob(file);
      const response = await fetch(`${url}/api/v1/import/prometheus`, { method: 'POST', body });
      if (!response.ok) throw new Error(await response.text());
    },
    async mergedBytes() {
      const read = async () => {
        const text = await (await fetch(`${url}/metrics`)).text();
        const sizes = text.matchAll(/^vm_data_size_bytes\{type="[^"]+"\} (\d+)$/gm);
        return [...sizes].reduce((sum, [, bytes]) => sum + Number(bytes), 0);
      };
      await fetch(`${url}/internal/force_flush`);
      await fetch(`${url}/internal/force_merge`);
      let [before, now] = [-1, await read()];
      while (before !== now) {
        await sleep(2000);
        [before, now] = [now, await read()];
      }
      return now;
    },
    async close() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A long series comes in several lines. */
function joinLines(lines: readonly RawSeries[]): readonly RawSeries[] {
  const bySeries = Map.groupBy(lines, ({ metric }) => JSON.stringify(metric));
  return [...bySeries.values()].map(parts => {
    const sorted = parts.toSorted((one, other) => (one.timestamps[0] ?? 0) - (other.timestamps[0] ?? 0));
    return {
      metric: sorted[0]?.metric ?? {},
      values: sorted.flatMap(({ values }) => values),
      timestamps: sorted.flatMap(({ timestamps }) => timestamps),
    };
  });
}
