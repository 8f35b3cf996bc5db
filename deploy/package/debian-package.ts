import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { renderLicences } from './licence-list.ts';

interface DebianPackageOptions {
  readonly root: string;
  readonly version: string;
  readonly description: string;
  /** The executable, and the list of what is in it. */
  readonly singleFile: string;
  readonly billOfMaterials: string;
  readonly date: number;
}

/** Debian's names of what Node calls a processor. */
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };
export const debianArchitecture = architectures[process.arch] ?? process.arch;

const maintainer = 'dbpm-exporter maintainers <maintainers@dbpm-exporter.invalid>';
const doc = 'usr/share/doc/dbpm-exporter';
const units = 'usr/lib/systemd/system';

/** Where shells look for what completes commands. */
const completions = [
  ['bash', 'usr/share/bash-completion/completions/dbpm-exporter'],
  ['zsh', 'usr/share/zsh/vendor-completions/_dbpm-exporter'],
  ['fish', 'usr/share/fish/vendor_completions.d/dbpm-exporter.fish'],
] as const;

/** Writes a Debian package: the executable, its units for systemd, and settings to begin with. */
export function makeDebianPackage(target: string, options: DebianPackageOptions): void {
  const { root, date, singleFile, billOfMaterials } = options;
  const staging = mkdtempSync(join(tmpdir(), 'dbpm-debian-'));
  chmodSync(staging, 0o755);
  const put = (path: string, content: string | Uint8Array, mode = 0o644) => {
    const file = join(staging, path);
    for (let folder = dirname(file); folder.length > staging.length; folder = dirname(folder)) {
      if (mkdirSync(folder, { recursive: true }) !== undefined) chmodSync(folder, 0o755);
    }
    writeFileSync(file, content);
    chmodSync(file, mode);
    utimesSync(file, date, date);
  };
  const given = (path: string) => readFileSync(join(root, 'deploy', path));
  try {
    put('usr/bin/dbpm-exporter', readFileSync(singleFile), 0o755);
    for (const unit of ['service', 'socket']) {
      put(`${units}/dbpm-exporter.${unit}`, given(`systemd/dbpm-exporter.${unit}`));
    }
    put('etc/dbpm-exporter/config.yaml', given('package/debian/config.yaml'));
    put(`${doc}/README`, given('package/debian/README'));
    put(`${doc}/socket.conf`, given('systemd/dbpm-exporter.service.d/socket.conf'));
    put(`${doc}/changelog.gz`, compress(renderDebianChangelog(options)));
    put(`${doc}/CHANGELOG.md.gz`, compress(readFileSync(join(root, 'CHANGELOG.md'))));
    put(`${doc}/copyright`, given('package/debian/copyright'));
    put(`${doc}/licences.gz`, compress(renderLicences(root)));
    put(`${doc}/sbom.cdx.json`, readFileSync(billOfMaterials));
    for (const [shell, path] of completions) put(path, printCompletion(singleFile, shell));
    put('DEBIAN/conffiles', '/etc/dbpm-exporter/config.yaml\n');
    for (const script of ['postinst', 'prerm', 'postrm']) {
      put(`DEBIAN/${script}`, given(`package/debian/${script}`), 0o755);
    }
    put('DEBIAN/control', renderControl(options));
    const env = { ...process.env, SOURCE_DATE_EPOCH: String(date) };
    const build = ['--root-owner-group', '-Zxz', '-z1', '--threads-max=1', '--build', staging, target];
    execFileSync('dpkg-deb', build, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  } finally {
    rmSync(staging, { recursive: true });
  }
}

/** Without a home the executable leaves nothing behind. */
const printCompletion = (singleFile: string, shell: string) =>
  execFileSync(singleFile, ['completion', shell], { env: {} });

function renderControl({ version, description, singleFile }: DebianPackageOptions): string {
  const wrapped = `${description}.`.replaceAll(/(.{1,70})(?: |$)/g, ' $1\n');
  return `Package: dbpm-exporter
Version: ${version}
Section: net
Priority: optional
Architecture: ${debianArchitecture}
Installed-Size: ${Math.ceil(statSync(singleFile).size / 1024)}
Maintainer: ${maintainer}
Depends: libc6 (>= 2.28), libgcc-s1, libstdc++6
Recommends: systemd (>= 250)
Description: Prometheus exporter for fleets of hosted Postgres projects
${wrapped.trimEnd()}
`;
}

/** Debian wants its own form; what has changed is in CHANGELOG.md.gz. */
function renderDebianChangelog({ version, date }: DebianPackageOptions): string {
  const day = new Date(date * 1000).toUTCString().replace('GMT', '+0000');
  return `dbpm-exporter (${version}) stable; urgency=medium\n\n  * See CHANGELOG.md.gz.\n\n -- ${maintainer}  ${day}\n`;
}

const compress = (content: string | Uint8Array) => gzipSync(content, { level: 9 });
