/** The columns that every list of records has. */
export const recordColumns = ['title', 'note', 'id'] as const
