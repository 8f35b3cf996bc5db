import { runCommandLine } from '../../src/cli/command-line.ts';
import { planCommand } from '../../src/cli/plan.ts';
import { makeFakeIo } from '../cli/fake-io.ts';

/** The documents' example of `plan`: its command line and what it really prints, in Markdown. */
export async function renderPlanExample(): Promise<string> {
  const flags = ['--projects', '5000', '--requests-per-minute', '700'];
  const { io, printed } = makeFakeIo();
  const exitCode = await runCommandLine(io, ['plan', ...flags], [planCommand(io)]);
  if (exitCode !== 0) throw new Error(`plan ended with ${exitCode}: ${printed.stderr}`);
  return renderConsole(`plan ${flags.join(' ')}`, printed.stdout);
}

/** Markdown of a command line of the program and of what it printed. */
export function renderConsole(line: string, printed: string): string {
  return ['```console', `$ npm start --silent -- ${line}`, `${printed.trimEnd()}`, '```', ''].join('\n');
}
