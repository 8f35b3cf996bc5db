import { readFileSync } from 'node:fs';

export const root = new URL('../../', import.meta.url);

/** A line of a Dockerfile, with those it is continued on. */
interface Instruction {
  /** In capitals, such as `COPY`. */
  readonly word: string;
  readonly text: string;
}

/** The instructions from one FROM to the next. */
interface Stage {
  /** Empty for the last one, which is the image. */
  readonly name: string;
  readonly from: string;
  readonly instructions: readonly Instruction[];
}

export const dockerfile = readFileSync(new URL('Dockerfile', root), 'utf8');

const instructions: readonly Instruction[] = dockerfile
  .replaceAll(/^\s*#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter(line => line.trim() !== '')
  .map(line => {
    const [, word = '', text = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    return { word: word.toUpperCase(), text };
  });

/** Defaults of the arguments that stand before the first stage. */
const baseArguments = Object.fromEntries(
  instructions
    .slice(
      0,
      instructions.findIndex(({ word }) => word === 'FROM'),
    )
    .map(({ text }) => text.split(/=(.*)/s, 2)),
);

export const stages: readonly Stage[] = readStages();
/** What becomes the image. */
export const image: Stage = stages.at(-1) ?? { name: '', from: '', instructions: [] };

function readStages(): Stage[] {
  const found: { name: string; from: string; instructions: Instruction[] }[] = [];
  for (const instruction of instructions) {
    if (instruction.word === 'FROM') {
      const [, from = '', name = ''] = /^(?:--\S+ )?(\S+)(?: AS (\S+))?$/.exec(instruction.text) ?? [];
      found.push({
        name,
        from: from.replaceAll(/\$\{(\w+)\}/g, (_, key) => baseArguments[key] ?? ''),
        instructions: [],
      });
    } else found.at(-1)?.instructions.push(instruction);
  }
  return found;
}

/** The texts of all instructions of a kind in a stage. */
export function textsOf(word: string, { instructions }: Stage = image): readonly string[] {
  return instructions.filter(each => each.word === word).map(({ text }) => text);
}

/** The command of HEALTHCHECK, program first. */
export function healthCommand(): readonly string[] {
  return JSON.parse(/CMD (\[.*\])$/.exec(textsOf('HEALTHCHECK').join())?.[1] ?? '[]');
}

/** The environment that the image sets. */
export function imageEnvironment(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    textsOf('ENV').flatMap(text =>
      Array.from(text.matchAll(/(\w+)=(\S*)/g), ([, name, value]) => [name, value]),
    ),
  );
}

/** What is copied from the checkout into the image: files of it, by patterns, and where they go. */
export function copiedFiles(): readonly { readonly from: readonly string[]; readonly to: string }[] {
  return textsOf('COPY')
    .filter(text => !text.startsWith('--from'))
    .map(text => {
      const words = text.split(/\s+/);
      return { from: words.slice(0, -1), to: words.at(-1) ?? '' };
    });
}
