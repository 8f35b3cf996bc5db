import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { makeBillOfMaterials } from './bill-of-materials.ts';
import { debianArchitecture, makeDebianPackage } from './debian-package.ts';
import { readPackage } from './program-file.ts';
import { makeSingleFile } from './single-file.ts';
import { readRevision, readSourceDate } from './source-date.ts';
import { makeTarball } from './tarball.ts';

/** `npm run package` makes everything that is delivered; `-- tarball` makes that and its list alone. */
const root = new URL('../..', import.meta.url).pathname;
const dist = join(root, 'dist');
const { name, version, description } = readPackage(root, '');
const date = readSourceDate(root, process.env);
mkdirSync(dist, { recursive: true });

const made: string[] = [];
function make(file: string, write: (target: string) => void): string {
  const target = join(dist, file);
  write(target);
  made.push(target);
  process.stdout.write(`${target}\n`);
  return target;
}

const billOfMaterials = make(`${name}-${version}.cdx.json`, target => {
  makeBillOfMaterials(root, target, name, date);
});
make(`${name}-${version}.tar.gz`, target => makeTarball(root, target, `${name}-${version}`, date));
if (process.argv[2] !== 'tarball') {
  const singleFile = make(name, target => makeSingleFile(root, target, readRevision(root)));
  make(`${name}_${version}_${debianArchitecture}.deb`, target => {
    makeDebianPackage(target, { root, version, description, singleFile, billOfMaterials, date });
  });
}
const sums = made.map(
  file => `${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${basename(file)}\n`,
);
writeFileSync(join(dist, 'SHA256SUMS'), sums.join(''));
