import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listPackages, readPackage } from './program-file.ts';

const geistLicence = 'src/console/browser/geist-LICENSE.txt';

/** The licences of the program, of Node and of every package that is delivered with them. */
export function renderLicences(root: string): string {
  const [nodeLicence = ''] = globSync('node_modules/node/node_modules/node-*/LICENSE', { cwd: root });
  const packages = listPackages(root).map(folder => {
    const { name, version, license } = readPackage(root, folder);
    const [file] = globSync('{LICEN[CS]E,licen[cs]e}*', { cwd: join(root, folder) }).toSorted();
    const text = file === undefined ? '' : readFileSync(join(root, folder, file), 'utf8');
    return section(`${name} ${version} (${license})`, text);
  });
  return [
    section('dbpm-exporter (Apache-2.0)', readFileSync(join(root, 'LICENSE'), 'utf8')),
    section(`Node.js ${process.versions.node} (MIT)`, readFileSync(join(root, nodeLicence), 'utf8')),
    section('Geist, the font of the console (OFL-1.1)', readFileSync(join(root, geistLicence), 'utf8')),
    ...packages,
  ].join('\n');
}

function section(title: string, text: string): string {
  return `${'='.repeat(80)}\n${title}\n${'='.repeat(80)}\n\n${text.trim()}\n`;
}
