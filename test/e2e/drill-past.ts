import { projectCpuUse } from '../../dashboards/rules/recording-rule.ts';

/** What a Prometheus may remember: that a project of `main` used a second of compute an hour, yesterday at this time. */
export function renderYesterday(instance: string, project_id: string): string {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const labels = Object.entries({ job: 'dbpm', instance, account: 'main', project_id })
    .map(([label, value]) => `${label}=${JSON.stringify(value)}`)
    .join(',');
  const ages = Array.from({ length: 37 }, (_, index) => 26 * 3600 - index * 300);
  const lines = ages.map(age => `${projectCpuUse.name}{${labels}} 1 ${nowSeconds - age}`);
  return `# TYPE ${projectCpuUse.name} gauge\n${lines.join('\n')}\n# EOF\n`;
}
