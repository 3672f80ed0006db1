/** SQL for whether a medium, a row of `held` under this name, is one that the archive says has failed. */
export const hasFailed = (medium: string) => `${medium}.model ->> '$.use' = 'failed'`
