/** What is wrong with a packed app, a line for each; and how many entries it has. */
export const contentsOf: (asar: string) => { wrong: string[]; entries: number }
export const placeholdersOf: (manifest: { homepage: string; author: string }) => string[]
