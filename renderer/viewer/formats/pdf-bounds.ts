// PDF.js is built to ask here (vite.config.ts) before it goes on with a page.

const megabyte = 1024 * 1024
/** What draws a page is inflated to so much at most, pictures and enclosed files to more. */
const [mostOfPage, mostOfFile] = [64 * megabyte, 256 * megabyte]
/** Steps in which a page is drawn: a dense map has some hundred thousand. */
const mostOperators = 1_000_000

let exceeded: () => void = () => undefined

/** Hears, from now on, that a page takes more than is drawn of one: the rest of it is left out. */
export const onExceeded = (listener: () => void) => {
  exceeded = listener
}

const leaveOut = (what: string): never => {
  exceeded()
  throw new Error(`A page of the document has too many ${what}.`)
}

/**
 * Bounds what a stream is inflated to.
 * @param isFile whether it is a picture, or a file that is enclosed
 * @throws Error which PDF.js takes for the end of the stream
 * @public for PDF.js alone
 */
export const checkInflated = (bytes: number, isFile: boolean) => {
  if (bytes > (isFile ? mostOfFile : mostOfPage)) leaveOut('bytes')
}

/**
 * Bounds the steps of a page, those of the forms in it too.
 * @throws Error which ends the page
 * @public for PDF.js alone
 */
export const checkOperators = (count: number) => {
  if (count > mostOperators) leaveOut('operators')
}
