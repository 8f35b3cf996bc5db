import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { listPackages, readPackage } from './program-file.ts';

interface CycloneDx {
  serialNumber?: string;
  readonly metadata: {
    timestamp: string;
    readonly component: { type: string; name: string; 'bom-ref': string };
  };
  components: { readonly 'bom-ref': string; readonly name: string; readonly version: string }[];
  dependencies: { readonly ref: string; readonly dependsOn: string[] }[];
}

/**
 * Writes what is delivered as a CycloneDX list: every package that runs, by the lock file, and Node. It is the same each
 * time.
 */
export function makeBillOfMaterials(root: string, target: string, name: string, date: number): void {
  const options = ['--sbom-format=cyclonedx', '--package-lock-only'];
  const bill: CycloneDx = JSON.parse(
    execFileSync('npm', ['sbom', ...options], { cwd: root, encoding: 'utf8' }),
  );
  keepDelivered(bill, root);
  // Chosen by chance, by the hour and by the folder it was made in.
  delete bill.serialNumber;
  bill.metadata.timestamp = new Date(date * 1000).toISOString();
  const { component } = bill.metadata;
  component.name = name;
  component.type = 'application';
  const { node: version } = process.versions;
  const ref = `node@${version}`;
  const purl = `pkg:generic/node@${version}`;
  const licenses = [{ license: { id: 'MIT' } }];
  const node = { 'bom-ref': ref, type: 'platform', name: 'node', version, purl, licenses };
  bill.components.push(node);
  bill.dependencies.find(each => each.ref === component['bom-ref'])?.dependsOn.push(ref);
  bill.dependencies.push({ ref, dependsOn: [] });
  writeFileSync(target, `${JSON.stringify(bill, null, 2)}\n`);
}

/** Told to omit what only tools need, npm omits packages that a tool can use besides, such as `yaml`. */
function keepDelivered(bill: CycloneDx, root: string): void {
  const delivered = new Set(
    listPackages(root).map(folder => {
      const { name, version } = readPackage(root, folder);
      return `${name}@${version}`;
    }),
  );
  const isDelivered = (ref: string) => delivered.has(ref) || ref === bill.metadata.component['bom-ref'];
  bill.components = bill.components.filter(each => isDelivered(each['bom-ref']));
  bill.dependencies = bill.dependencies
    .filter(({ ref }) => isDelivered(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isDelivered) }));
}
