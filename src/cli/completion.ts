import { readdirSync } from 'node:fs';
import { Argument, Command } from 'commander';
import type { Io } from './io.ts';

const shells = ['bash', 'zsh', 'fish', 'powershell'];

/** `completion`: prints the script by which a shell completes our commands at TAB. */
export function completionCommand(): Command {
  const command = new Command('completion')
    .description('print a script that completes commands, flags and words in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells));
  return command.action(async (shell: string) => {
    const completions = await loadCompletions(command.parent?.commands ?? []);
    completions.setup('dbpm-exporter', 'dbpm-exporter', shell);
  });
}

/** `complete -- WORDS`, for those scripts alone: prints what the last word can become, and a directive. */
export function completeCommand({ stdout }: Pick<Io, 'stdout'>): Command {
  const command = new Command('complete').argument('[words...]');
  return command.action(async (words: readonly string[]) => {
    const commands = command.parent?.commands ?? [];
    const [flag = '', word = ''] = words.slice(-2);
    // The library has no names of files, and tells the shell to have none.
    if (commands.flatMap(listPathFlags).includes(flag)) return stdout(renderPaths(word));
    (await loadCompletions(commands)).parse([...words]);
  });
}

async function loadCompletions(commands: readonly Command[]) {
  const { default: addToCommander } = await import('@bomb.sh/tab/commander');
  // The library adds these two by itself.
  const others = commands.filter(command => !['completion', 'complete'].includes(command.name()));
  const root = new Command();
  for (const command of others) root.addCommand(command);
  return addToCommander(root, { completionCommandName: 'completion' });
}

/** The flags whose value is a file or a folder, `--config.file`. */
function listPathFlags({ options }: Command): string[] {
  return options.flatMap(({ long, flags }) => (long && /<(folder|path)>/.test(flags) ? [long] : []));
}

/** How the scripts are told to complete nothing else, and, for folders, to put no space behind: directives of cobra. */
const onlyThese = ':4\n';
const onlyTheseWithoutSpace = ':6\n';

/** The paths that begin with a word, one a line, folders with a slash. */
function renderPaths(word: string): string {
  const folder = word.slice(0, word.lastIndexOf('/') + 1);
  const begin = word.slice(folder.length);
  const entries = listEntries(folder || '.').filter(
    ({ name }) => name.startsWith(begin) && (begin !== '' || !name.startsWith('.')),
  );
  const paths = entries.map(entry => `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}\n`);
  const directive = entries.every(entry => entry.isDirectory()) ? onlyTheseWithoutSpace : onlyThese;
  return `${paths.join('')}${directive}`;
}

function listEntries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
