import { accountUsageFamilies } from '../../src/resources/usage/account.ts';
import type { Board } from './board.ts';
import { projectAgeBands } from './look.ts';
import { stat } from './panel.ts';
import { age } from './scope.ts';
import { usageBudgetSection } from './usage-budget-section.ts';
import { usageDoneSection, usageFindingSection } from './usage-finding-section.ts';
import { usageForecastSection } from './usage-forecast-section.ts';
import { usageHeadlines } from './usage-headline.ts';
import { usageMeterSection, usageUnusualSection } from './usage-meter-section.ts';
import { usageShareSection } from './usage-share-section.ts';
import { usageLedgerSection, usageTrustSection } from './usage-trust-section.ts';

const agePanel = stat({
  title: 'Age of the data',
  description: 'Until how long ago use is known, of the account furthest behind.',
  unit: 's',
  width: 4,
  height: 6,
  expression: `max(${age(accountUsageFamilies.usageKnownTimestamp)})`,
  bands: projectAgeBands,
});

export const usageCostBoard: Board = {
  uid: 'dbpm-usage-cost',
  title: 'DBPM / Usage and cost',
  question: [
    '**What did it cost, where will the period end, and what could be saved?** Money is in the display currency of the price book; without a price book the board shows compute hours.',
    '',
    'Cost and budgets are of the billing period; groups and projects say whose it is, findings what to change. What has no price is in no cost: see *Can the numbers be trusted?*',
  ].join('\n'),
  since: '7d',
  projects: 'many',
  hasGroups: true,
  sections: [
    { title: 'What does it cost?', panels: usageHeadlines },
    usageForecastSection,
    usageBudgetSection,
    usageShareSection,
    usageFindingSection,
    { ...usageTrustSection, panels: [agePanel, ...usageTrustSection.panels] },
    usageDoneSection,
    usageMeterSection,
    usageUnusualSection,
    usageLedgerSection,
  ],
};
