/** How personal data of API keys, addresses and people, are remembered. */
export const personalDataModes = ['plain', 'hashed', 'none'] as const;
export type PersonalDataMode = (typeof personalDataModes)[number];
