import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { drawPicture } from './picture.ts';
import { RecordedDemo } from './recorded-demo.ts';

const file = new URL('../../docs/picture.svg', import.meta.url).pathname;

using demo = await RecordedDemo.record();
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, await drawPicture(demo));
process.stdout.write(`${file} is drawn\n`);
