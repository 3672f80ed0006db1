export const sizeOfPng: (png: Buffer) => { width: number; height: number }
export const icoOf: (pngs: readonly Buffer[]) => Buffer
export const icnsTypes: readonly (readonly [type: string, size: number])[]
export const icnsOf: (pngOf: (size: number) => Buffer) => Buffer
