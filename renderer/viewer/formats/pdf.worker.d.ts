declare module 'pdfjs-dist/build/pdf.worker.mjs' {
  /** Handed to PDF.js as it is. */
  export const WorkerMessageHandler: unknown
}
