import { Buffer } from 'buffer'

/** Two libraries that read what Outlook keeps were written for Node, and take its Buffer for granted. */
Object.assign(globalThis, { Buffer })
