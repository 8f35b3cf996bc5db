import { projectFamilies } from '../../src/resources/project.ts';
import { select } from '../promql.ts';
import type { Series } from './alert.ts';

/** Labels of the exporter that the examples are about, of its account, and of a project of that. */
export const target = { job: 'dbpm', instance: 'dbpm:10062' } as const;
export const account = { ...target, account: 'main' } as const;
export const project = { ...account, project_id: 'p1' } as const;

/** With every label that a page has, so that an alert with too many of them shows. */
export const describedProject = {
  ...project,
  project_name: 'shop',
  platform_id: 'aws',
  region_id: 'aws-eu-central-1',
  provisioner: 'k8s',
  pg_version: '17',
  proxy_host: 'eu-central-1.db.example.com',
} as const;

/** The series that gives alerts a project's name. */
export const named: Series = { [select(projectFamilies.info, describedProject)]: '1x10000' };
