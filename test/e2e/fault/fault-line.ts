import { collectors } from '../../../src/resources/collector.ts';
import type { ApiFault } from './api-fault.ts';

/** What the log says first about an account, of the list that fails first by its name in the order of the collectors. */
export function firstLine(
  log: string,
  account: string,
  { fails = collectors, counts = [] }: ApiFault,
): string | undefined {
  const [collector] = [...fails, ...counts];
  const line = log
    .split('\n')
    .find(
      each =>
        each.includes(` level=warn `) &&
        each.includes(` account=${account} `) &&
        (collector === undefined || each.includes(` collector=${collector} `)),
    );
  const message = line && /err\.message=("(?:[^"\\]|\\.)*"|\S+)/.exec(line)?.[1];
  if (message === undefined) return line;
  return (message.startsWith('"') ? (JSON.parse(message) as string) : message)
    .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST:PORT')
    .replaceAll(/after \d+ ms/g, 'after N ms')
    .replaceAll(/unavailable \([^)]*\)/g, 'unavailable (ID)')
    .replaceAll(/^\d+ cannot be used/g, 'N cannot be used')
    .replaceAll(/\d+ of \d+ operations/g, 'N of N operations')
    .replaceAll(/ECONNRESET: [^)]*/g, 'ECONNRESET')
    .replaceAll(/[\w-]+\.service\.test/g, 'HOST')
    .replaceAll(/[0-9A-F]{12,}:error/g, 'error')
    .replaceAll(/until \d{4}-\S+Z/g, 'until INSTANT')
    .replaceAll(/of "[^"]+" is/g, 'of "ID" is')
    .replaceAll(/\d{5}d\d*h? behind/g, 'N days behind');
}
