/** The name of the format, and the folder of its payload (RFC 8493 2.1.2). */
export const bagItFormat = { name: 'bagit', payloadFolder: 'data' }
