/** A code with its meaning where one is known (the tables of ESSArch), else the plain code. */
const naming = (names: Record<number, string>) => (code: unknown) => (typeof code === 'number' ? (names[code] ?? String(code)) : '')

export const algorithmName = naming({ 1: 'MD5', 2: 'SHA-1', 3: 'SHA-256', 4: 'SHA-384', 5: 'SHA-512' })
export const packageTypeName = naming({ 0: 'SIP', 1: 'AIC', 2: 'AIP', 3: 'AIU', 4: 'DIP' })
export const mediumStatusName = naming({ 0: 'Inactive', 20: 'Write', 30: 'Full', 100: 'FAIL' })
export const locationStatusName = naming({ 10: 'Delivered', 20: 'Received', 30: 'Placed', 40: 'Collected', 50: 'Robot' })
