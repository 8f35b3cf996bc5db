import { runCommandLine } from '../../src/cli/command-line.ts';
import { planCommand } from '../../src/cli/plan.ts';
import { makeFakeIo } from '../cli/fake-io.ts';

const flags = ['--projects', '5000', '--requests-per-minute', '700'];

/** The README's example of `plan`: its command line and what it really prints, in Markdown. */
export async function renderPlanExample(): Promise<string> {
  const { io, printed } = makeFakeIo();
  const exitCode = await runCommandLine(io, ['plan', ...flags], [planCommand(io)]);
  if (exitCode !== 0) throw new Error(`plan ended with ${exitCode}: ${printed.stderr}`);
  return [
    '```console',
    `$ npm start --silent -- plan ${flags.join(' ')}`,
    `${printed.stdout}\`\`\``,
    '',
  ].join('\n');
}
