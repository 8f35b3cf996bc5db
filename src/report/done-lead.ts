/** The words by which the report of open findings leads to findings that are done. */
export const leadToDone = 'see report findings --done';
