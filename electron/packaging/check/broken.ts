/** A tar or zip that cannot be read; the message says what of it, and where. */
export class Broken extends Error {}
