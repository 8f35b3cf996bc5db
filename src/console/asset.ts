import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A file that pages load. */
export interface Asset {
  readonly type: string;
  readonly text: string;
}

const types = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', svg: 'image/svg+xml' };

function load(name: string, kind: keyof typeof types): readonly [path: string, asset: Asset] {
  const text = readFileSync(new URL(`./browser/${name}.${kind}`, import.meta.url), 'utf8');
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return [`/assets/${digest}/${name}.${kind}`, { type: types[kind], text }];
}

const style = load('console', 'css');
const script = load('console', 'js');
const icon = load('icon', 'svg');
const assets = new Map([style, script, icon]);

/** The paths of the files of every page; another content has another path. */
export const assetPaths = { style: style[0], script: script[0], icon: icon[0] };

export function findAsset(path: string): Asset | undefined {
  return assets.get(path);
}
