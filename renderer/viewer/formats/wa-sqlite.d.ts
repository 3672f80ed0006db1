/** The build that waits for a VFS by the stack switching of WebAssembly, which the package does not declare. */
declare module '@journeyapps/wa-sqlite/dist/wa-sqlite-jspi.mjs' {
  interface Module {
    HEAPU8: Uint8Array<ArrayBuffer>
  }
  const open: (options: { locateFile: () => string }) => Promise<Module>
  export default open
}
