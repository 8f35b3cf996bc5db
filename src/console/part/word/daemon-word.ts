/** Words about findings as such, the service, and how it is read. */
export const daemonWords = {
  finding: {
    word: 'finding',
    meaning:
      'Compute that might not be needed: the evidence, what to change, and what that saves of the last 30 days, likely and at most. “Done” says that it was followed.',
    example: 'Auto-suspend after 60 instead of 300 seconds saves 48 compute hours a month, $7.68 at $0.16.',
  },
  operation: {
    word: 'operation',
    meaning:
      'Something that the service does with a project or an endpoint, such as starting it. It ends as finished or failed; one that has not ended after an hour is stuck.',
    example: 'start_compute, created 10:00:00 and finished 10:00:02.',
  },
  attempt: {
    word: 'failed attempt',
    meaning:
      'The service tries an operation again when it fails. What counts is how often it failed, also of one that succeeded in the end.',
    example: '3 failed attempts, and finished with the fourth.',
  },
  import: {
    word: 'import',
    meaning:
      'Reading the operations of a project from before it was first seen, once. Until that is done it is not known when it used what.',
    example: '2,500 operations are read in 3 requests.',
  },
  request_budget: {
    word: 'request budget',
    meaning:
      'How many requests a minute the daemon allows itself, so that the service does not refuse it. What is most urgent is read first.',
    example: '300 requests a minute, and two for each project: 1,000 projects take about 7 minutes.',
  },
  freshness: {
    word: 'freshness',
    meaning: 'How long ago something shown was read from the service.',
    example: 'Read 12 s ago: what happened since is shown with the next reading.',
  },
  gone: {
    word: 'gone',
    meaning: 'The service does not list it any more. Its past stays here, with what it cost.',
    example: 'A project that was deleted on the 10th is in the invoice with 10 days.',
  },
  stale_key: {
    word: 'stale key',
    meaning: 'An API key that was not used for longer than keys.stale_after.',
    example: 'Last used 60 days ago, where 45 days are allowed.',
  },
} as const;
