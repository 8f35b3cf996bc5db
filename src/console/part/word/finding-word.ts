import type { FindingKind, ProjectFindingKind } from '../../../resources/finding.ts';

/** Kinds of findings, by their names. */
export const findingWords = {
  awake_unused: {
    word: 'awake unused',
    meaning: 'An endpoint was awake without a query for two weeks or more.',
    example: '2 CU that are not asked use 1,440 compute hours in 30 days.',
  },
  woken_by_checks: {
    word: 'woken by checks',
    meaning: 'An endpoint is woken by the checks of the service alone.',
    example: 'A check a day with a delay of 300 seconds: 2.5 hours awake in 30 days.',
  },
  never_suspends: {
    word: 'never suspends',
    meaning:
      'An endpoint is awake for 99% of the time or more: something asks it all the time, or auto-suspend is off.',
    example: '1 CU that never sleeps uses 720 compute hours in 30 days.',
  },
  woken_on_period: {
    word: 'woken on period',
    meaning: 'An endpoint starts on a schedule, and then mostly waits for its auto-suspend delay to pass.',
    example:
      'A job of 20 seconds every hour with a delay of 300 seconds: of 128 minutes awake a day, 120 are waiting.',
  },
  idle_tail: {
    word: 'idle tail',
    meaning:
      'The time that an endpoint is awake after its last query, until its auto-suspend delay has passed. As a finding: most of its time awake is such waiting.',
    example:
      '24 wake-ups a day with a delay of 300 seconds: 2 hours of waiting a day. With 60 seconds it is 24 minutes.',
  },
  longer_than_needed: {
    word: 'longer than needed',
    meaning: 'An endpoint would have slept much more with a shorter auto-suspend delay, by its own past.',
    example:
      'In pauses of 20 minutes it sleeps 5 minutes with a delay of 15 minutes, and 19 with one of a minute.',
  },
  floor_size: {
    word: 'floor size',
    meaning:
      'The smallest size of an endpoint that scales: it uses that much whenever it is awake. As a finding: it never needed more, so perhaps less is enough.',
    example: '10 awake hours with a floor of 4 CU are 40 compute hours, and 10 with a floor of 1 CU.',
  },
  branch_sprawl: {
    word: 'branch sprawl',
    meaning: 'A project has many branches that were not used for long, or have expired.',
    example: '12 branches; 9 were not used for a month.',
  },
  ledgers_apart: {
    word: 'ledgers apart',
    meaning:
      'The meter of the service and the counter it reports differ by more than a tenth and a compute hour in a day.',
    example: 'Metered 30 compute hours and reported 40.',
  },
} as const satisfies Readonly<Record<FindingKind | ProjectFindingKind, object>>;
