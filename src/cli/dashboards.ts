import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { loadCheckedRules } from '../check/config/loaded-config.ts';
import { describeError } from '../log/error-record.ts';
import { Failure } from '../resources/failure.ts';
import type { Io } from './io.ts';
import { addSettingOptions, boardSettings, readSettingFlags } from './setting-option.ts';

/** The folder of the generated boards, beside `src` in a checkout and in the image alike. */
const boardFolder = fileURLToPath(new URL('../../dashboards/boards/', import.meta.url));

/** `dashboards`: writes the Grafana boards that belong to this version, a line for each file. */
export function dashboardsCommand(io: Io, from = boardFolder): Command {
  const command = new Command('dashboards')
    .description('write the Grafana boards, ready to be imported or provisioned')
    .requiredOption(
      '--out <folder>',
      'the folder to write the boards to, such as boards; it is made if it is not there',
    );
  return addSettingOptions(command, boardSettings).action(async ({ out }: { out: string }) => {
    const names = listBoards(from);
    const rules = await loadCheckedRules({ flags: readSettingFlags(command), env: io.env });
    const { consoleUrlOf, localConsole } = await import('../../dashboards/rules/console-link.ts');
    try {
      makeFolder(resolve(out));
      for (const name of names) {
        const board = readFileSync(join(from, name), 'utf8');
        writeFileSync(join(out, name), board.replaceAll(localConsole, consoleUrlOf(rules)));
        io.stdout(`${resolve(out, name)}\n`);
      }
    } catch (error) {
      throw new Failure(
        `the boards cannot be written to ${out}: ${describeError(error)}; name a folder you may write to with --out`,
      );
    }
  });
}

/** Folder by folder: Node's own recursion never ends below a root that makes nothing, such as /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path);
}

function listBoards(from: string): readonly string[] {
  try {
    return readdirSync(from).filter(name => name.endsWith('.json'));
  } catch (error) {
    throw new Failure(
      `this installation has no boards: ${describeError(error)}; install it again with its dashboards folder`,
    );
  }
}
