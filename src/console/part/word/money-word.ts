/** Words about cost. */
export const moneyWords = {
  billing_period: {
    word: 'billing period',
    meaning:
      'The time that one invoice is for. How long it is and when it begins is written in the price book.',
    example: 'With 744 hours from October 28th on, the next one begins on November 28th.',
  },
  price_book: {
    word: 'price book',
    meaning:
      'All prices, and the days from which they hold, as the section pricing of the configuration has them. A few letters name its state, so that two bills by other prices are told apart.',
    example: '$0.16 for a compute hour until the 14th and $0.18 from the 15th on.',
  },
  included: {
    word: 'included hours',
    meaning: 'Compute that a plan gives free of charge in each billing period.',
    example: 'With 50 included hours, 80 compute hours are 30 to pay.',
  },
  unpriced: {
    word: 'unpriced',
    meaning:
      'Use that no price is known for: its project has no plan, or no price held at the time. It is in no sum of money.',
    example: 'Without a price before October, 100 compute hours of September are unpriced.',
  },
  forecast: {
    word: 'forecast',
    meaning:
      'What a period is expected to come to at its end, by the use so far and by what is usual for the hours and weekdays that are left.',
    example: '$1,500 on day 25 of 31, and $1,860 expected at the end.',
  },
  forecast_band: {
    word: 'forecast band',
    meaning:
      'The bounds around a forecast. Four periods in five come out within the narrow ones, and nineteen in twenty within the wide ones.',
    example: 'Between $1,830 and $1,890: of ten such periods, two come out below or above.',
  },
  forecast_error: {
    word: 'error of forecasts',
    meaning:
      'How far forecasts would have missed, had they been made in periods that are over. A straight line, as much a day as so far, is what they are compared with.',
    example: '3% of a forecast of $1,800 are $54.',
  },
  budget: {
    word: 'budget',
    meaning:
      'An amount of money or compute hours for a time. It is at risk when the forecast says that it is used up before its end.',
    example: '$1,600 for a billing period. $1,500 are spent and $1,860 are expected: at risk.',
  },
  group: {
    word: 'group',
    meaning:
      'Projects that belong together, such as those of a team. A grouping shares out all projects; a project that fits no group is ungrouped.',
    example: 'The grouping team with the groups shop and data: 20 projects are 8, 7, and 5 ungrouped.',
  },
} as const;
