import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The root of the repository. */
export const root = new URL('../..', import.meta.url).pathname;

/** A block of code in a document. */
interface Fence {
  readonly language: string;
  readonly text: string;
}

/** A page of the documents. */
interface Document {
  /** Below the root of the repository. */
  readonly path: string;
  readonly text: string;
  readonly fences: readonly Fence[];
  /** Everything outside its blocks of code. */
  readonly prose: string;
}

const fencePattern = /^```(\w*)\n([\s\S]*?)^```$/gm;

function readDocument(path: string): Document {
  const text = readFileSync(join(root, path), 'utf8');
  const fences = Array.from(text.matchAll(fencePattern), ([, language = '', code = '']) => ({
    language,
    text: code,
  }));
  return { path, text, fences, prose: text.replaceAll(fencePattern, '') };
}

/** Pages for people who use or change the program. */
export const documents: readonly Document[] = [
  'README.md',
  'SECURITY.md',
  'dashboards/README.md',
  'deploy/README.md',
  'deploy/systemd/README.md',
  ...globSync('docs/*.md', { cwd: root, exclude: ['docs/endurance.md'] }).sort(),
].map(readDocument);

/** Pages that are written by a program or by history: their links count, their words do not. */
export const records: readonly Document[] = [
  'BENCHMARKS.md',
  'CHANGELOG.md',
  'docs/endurance.md',
  'deploy/helm/dbpm-exporter/README.md',
].map(readDocument);

/** Anchors of a page, as GitHub makes them of its headings. */
export function anchorsOf({ prose }: Document): readonly string[] {
  return Array.from(prose.matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Texts between backticks. */
export function inlineCode({ prose }: Document): readonly string[] {
  return Array.from(prose.matchAll(/`([^`\n]+)`/g), ([, code = '']) => code);
}

/** Looks for a file or a folder at a path below the root of the repository. */
export function existsInRepository(path: string): boolean {
  return existsSync(join(root, path));
}
