/** Words about how use is known. */
export const ledgerWords = {
  ledger: {
    word: 'ledger',
    meaning:
      'A record of how much compute was used, and when. There are up to three, from different sources, so that one is checked by the others.',
    example: 'Metered 100, reported 101 and at most 104 awake: the bill of 100 compute hours is right.',
  },
  reported: {
    word: 'reported',
    meaning:
      'The ledger of the counter that the service tells for each project. It says how much and not when: that follows from when its endpoints were awake.',
    example:
      'A counter of 7,200 seconds in the morning and 18,000 in the evening: 3 compute hours in between.',
  },
  reconstructed: {
    word: 'reconstructed',
    meaning:
      'The ledger of the time that endpoints were awake, times their size, by their starts, suspends and states. It has a least and a most where the size can change.',
    example: 'Awake for 2 hours between 1 and 4 CU: 2 to 8 compute hours.',
  },
  metered: {
    word: 'metered',
    meaning: 'The ledger of the meter that later versions of the service bill by. It tells use by the hour.',
    example: '1.5 compute hours from 14:00 to 15:00.',
  },
  drift: {
    word: 'drift',
    meaning:
      'How far two ledgers of the same time are apart. One of them is wrong then, and with it perhaps the bill.',
    example: 'Reported 110 compute hours where endpoints can have used 100 at most: a drift of 1.1.',
  },
  gap: {
    word: 'gap',
    meaning:
      'Use that cannot be known, such as what a project used between its last reading and its deletion. It is named, and in no sum.',
    example:
      'A project of 2 CU that was deleted 3 hours after it was last read can have used 6 compute hours more.',
  },
} as const;
