import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { MadePage } from '../http/console-answer.ts';
import { encode } from './encoded-answer.ts';
import type { PageQuestion } from './page.ts';

/** A file that pages load. */
interface Asset {
  readonly type: string;
  readonly text: string | Uint8Array;
}

const types = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

const assets = new Map<string, Asset>();

function read(name: string): Buffer {
  return readFileSync(new URL(`./browser/${name}`, import.meta.url));
}

/** @returns its path: another content has another one. */
function addAsset(name: string, text: Asset['text'] = read(name)): string {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const kind = name.slice(name.lastIndexOf('.') + 1) as keyof typeof types;
  const path = `/assets/${digest}/${name}`;
  assets.set(path, { type: types[kind], text });
  return path;
}

const font = addAsset('geist.woff2');

/** Its comments are for readers of the file: without them the first view of a page is 1.5 kB smaller. */
function readStyle(): string {
  return read('console.css')
    .toString()
    .replace(/\/\*.*?\*\//gs, '')
    .replace('geist.woff2', font);
}

/** The paths of the files of every page. */
export const assetPaths = {
  font,
  style: addAsset('console.css', readStyle()),
  script: addAsset('console.js'),
  chart: addAsset('chart.js'),
  taste: addAsset('taste.js'),
  icon: addAsset('icon.svg'),
};

/** A file that pages load; `undefined` where the path is of none. */
export function answerAsset(question: PageQuestion): Promise<MadePage> | undefined {
  const asset = assets.get(question.path);
  return asset && encode({ status: 200, ...asset }, question, 'public, max-age=31536000, immutable');
}
