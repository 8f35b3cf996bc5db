import { costPage } from './page/cost/cost.ts';
import { findingPage } from './page/finding/finding.ts';
import { healthPage } from './page/health/health.ts';
import { helpPages } from './page/help/help.ts';
import { invoicePage } from './page/invoice/invoice.ts';
import { keyPage } from './page/key/key.ts';
import { incidentPage } from './page/operation/incident.ts';
import { operationPage } from './page/operation/operation.ts';
import { overviewPage } from './page/overview/overview.ts';
import { pricePage } from './page/price/price.ts';
import { projectPage } from './page/project/project.ts';
import { projectsPage } from './page/project-index/projects.ts';
import { reportPages } from './page/report/report.ts';
import { searchPageOf } from './page/search.ts';
import { showbackPage } from './page/showback/showback.ts';
import { whyPage } from './page/why/why.ts';
import { wordPage } from './page/word.ts';
import type { AnyPage } from './page.ts';

/** What can be looked for by its title, in the order of the navigation. */
const titled: readonly AnyPage[] = [
  overviewPage,
  projectsPage,
  projectPage,
  costPage,
  invoicePage,
  whyPage,
  showbackPage,
  pricePage,
  ...reportPages,
  findingPage,
  operationPage,
  incidentPage,
  keyPage,
  healthPage,
  wordPage,
  ...helpPages,
];

/** All pages. */
export const pages: readonly AnyPage[] = [...titled, searchPageOf(titled)];
