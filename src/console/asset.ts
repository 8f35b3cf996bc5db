import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

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

type Named = readonly [path: string, asset: Asset];

function read(name: string): Buffer {
  return readFileSync(new URL(`./browser/${name}`, import.meta.url));
}

/** Another content has another path. */
function nameAsset(name: string, text: Asset['text']): Named {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const kind = name.slice(name.lastIndexOf('.') + 1) as keyof typeof types;
  return [`/assets/${digest}/${name}`, { type: types[kind], text }];
}

const font = nameAsset('geist.woff2', read('geist.woff2'));
const style = nameAsset('console.css', read('console.css').toString().replace('geist.woff2', font[0]));
const script = nameAsset('console.js', read('console.js'));
const chart = nameAsset('chart.js', read('chart.js'));
const taste = nameAsset('taste.js', read('taste.js'));
const icon = nameAsset('icon.svg', read('icon.svg'));
const assets = new Map([font, style, script, chart, taste, icon]);

/** The paths of the files of every page. */
export const assetPaths = {
  font: font[0],
  style: style[0],
  script: script[0],
  chart: chart[0],
  taste: taste[0],
  icon: icon[0],
};

export function findAsset(path: string): Asset | undefined {
  return assets.get(path);
}
