import { readFileSync } from 'node:fs';
import { arch, cpus, release, totalmem, type } from 'node:os';

/** What the figures were measured on, as lines of Markdown. */
export function describeMachine(now: number): readonly string[] {
  const processors = cpus();
  const model = processors[0]?.model ?? 'unknown';
  return [
    `- Date: ${new Date(now).toISOString().slice(0, 10)}`,
    `- Processor: ${processors.length} × ${model} (${arch()})`,
    `- Memory: ${Math.round(totalmem() / 2 ** 30)} GiB`,
    `- System: ${readDistribution() ?? type()}, kernel ${release()}`,
    `- Node: ${process.version}`,
  ];
}

function readDistribution(): string | undefined {
  try {
    return /^PRETTY_NAME="(.*)"$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}
