/** The build that waits for a file by the stack switching of WebAssembly; the package declares others. */
declare module '@journeyapps/wa-sqlite/dist/wa-sqlite-jspi.mjs' {
  interface Module {
    HEAPU8: Uint8Array<ArrayBuffer>
  }
  const open: (options: { locateFile: () => string }) => Promise<Module>
  export default open
}
