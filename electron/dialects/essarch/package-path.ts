/** Where the interface has a package. */
export const packagePath = (id: string) => `information-packages/${encodeURIComponent(id)}/`
