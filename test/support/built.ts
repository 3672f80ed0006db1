const main = new URL('../../out/main/main.js', import.meta.url)

/** A file that the build made, by its name: scripts of threads and processes run as the product runs them. */
export const builtFile = (name: string) => new URL(name, main)
