/** Words about what runs, and how much of it. */
export const computeWords = {
  compute_unit: {
    word: 'compute unit (CU)',
    meaning:
      'The size of an endpoint while it is awake: one compute unit is one virtual processor with 4 GB of memory.',
    example: 'An endpoint of 0.25 CU has a quarter of a processor and 1 GB.',
  },
  compute_hour: {
    word: 'compute hour',
    meaning: 'One compute unit that is awake for one hour. Compute is priced by it.',
    example: 'An endpoint of 2 CU that is awake for half an hour uses 1 compute hour.',
  },
  awake: {
    word: 'awake',
    meaning:
      'An endpoint is awake while it runs, whether or not anybody asks it anything: the service calls it active. Asleep (idle or stopped) it uses no compute. It is used when a query touches it.',
    example: 'Awake from 09:00 to 12:00 are 3 awake hours. At 2 CU they are 6 compute hours.',
  },
  wake_up: {
    word: 'wake-up',
    meaning:
      'The start of an endpoint that was asleep: a client connected, a job ran on a schedule, or the service checked it.',
    example: 'A job every 10 minutes can wake an endpoint 144 times a day.',
  },
  suspend_delay: {
    word: 'auto-suspend delay',
    meaning:
      'How long an endpoint stays awake after its last query until the service suspends it by itself. It is 300 seconds unless somebody set another one.',
    example: 'With a delay of 300 seconds a query of 2 seconds keeps an endpoint awake for about 5 minutes.',
  },
  autoscaling: {
    word: 'autoscaling',
    meaning:
      'An endpoint has one size, or a smallest and a largest one between which the service scales it. The service does not say which size it had when.',
    example: 'Awake for 3 hours between 1 and 4 CU, it used 3 to 12 compute hours.',
  },
  metered_quantity: {
    word: 'storage, transfer and branches',
    meaning:
      'What later versions of the service meter besides compute. A GB-month is one GB that is kept for a whole month.',
    example: '20 GB that are kept for half a month are 10 GB-months.',
  },
} as const;
