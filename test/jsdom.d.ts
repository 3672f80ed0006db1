/** What of jsdom is used outside of its environment: a parser of XML that refuses what is not well-formed. */
declare module 'jsdom' {
  export class JSDOM {
    constructor(text: string, options: { contentType: string })
    readonly window: { document: Document }
  }
}
