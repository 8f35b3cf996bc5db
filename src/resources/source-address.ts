/** How the addresses that API keys were used from are remembered. */
export const sourceAddressModes = ['plain', 'hashed', 'none'] as const;
export type SourceAddressMode = (typeof sourceAddressModes)[number];
