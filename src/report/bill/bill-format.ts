/** The ways in which lists of bills and comparisons with invoices are written. */
export const billFormats = ['table', 'csv', 'json', 'markdown'] as const;
export type BillFormat = (typeof billFormats)[number];
