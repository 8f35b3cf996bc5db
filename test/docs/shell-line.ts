/** One command of a line: its words without their quotes, and the file its output goes to. */
export interface ShellCommand {
  readonly words: readonly string[];
  readonly output?: string;
}

/** A line of a block of shell code, with the lines it is continued on. */
interface ShellLine {
  readonly text: string;
  /** Commands that `|`, `&&` and `;` connect. */
  readonly commands: readonly ShellCommand[];
}

/** The lines of a block of shell code; comments and empty lines are none. */
export function readShellLines(block: string): readonly ShellLine[] {
  return block
    .replaceAll(/\\\n\s*/g, ' ')
    .replaceAll(/\|\n\s*/g, '| ')
    .split('\n')
    .filter(line => !/^\s*(#|$)/.test(line))
    .map(text => ({ text, commands: readCommands(text) }));
}

/** A word, an operator (`|`, `&&`, `;`, `>`), or the comment that ends a line. */
const tokenPattern =
  /\s*(?:(?<operator>\|{1,2}|&&|;|>)|(?<comment>#.*$)|(?<word>(?:[^\s|&;>'"]|'[^']*'|"[^"]*")+))/gy;

function readCommands(text: string): readonly ShellCommand[] {
  // A function is one command, named like its definition.
  if (/^\w+\(\)/.test(text)) return [{ words: [text.split(' ')[0] ?? ''] }];
  const commands: { words: string[]; output?: string }[] = [{ words: [] }];
  let isOutput = false;
  for (const { groups = {} } of text.trim().matchAll(tokenPattern)) {
    const command = commands.at(-1);
    if (groups.comment !== undefined || command === undefined) break;
    if (groups.operator === '>') isOutput = true;
    else if (groups.operator !== undefined) commands.push({ words: [] });
    else {
      const word = unquote(groups.word ?? '');
      if (isOutput) command.output = word;
      else command.words.push(word);
      isOutput = false;
    }
  }
  return commands;
}

function unquote(word: string): string {
  return word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double);
}
