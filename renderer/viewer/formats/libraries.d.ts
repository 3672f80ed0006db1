/** Libraries that bring no types: what is used of them. */

declare module '@cornerstonejs/codec-openjpeg/decodewasmjs' {
  interface Decoder {
    /** Where the file is to be written, of this length. */
    getEncodedBuffer: (length: number) => Uint8Array
    /** @param level halved so often; @param layer 0 for all */
    decodeSubResolution: (level: number, layer: number) => void
    calculateSizeAtDecompositionLevel: (level: number) => { width: number; height: number }
    /** Channel after channel in each pixel; two bytes each, the lower first, above 8 bits. */
    getDecodedBuffer: () => Uint8Array
    delete: () => void
  }
  const open: (options: {
    locateFile: () => string
    print: (line: string) => void
    printErr: (line: string) => void
  }) => Promise<{ J2KDecoder: new () => Decoder }>
  export default open
}

declare module '@cornerstonejs/codec-openjpeg/decodewasm?url' {
  const address: string
  export default address
}

declare module 'libheif-js/libheif-wasm/libheif-bundle.mjs' {
  interface Image {
    get_width: () => number
    get_height: () => number
    /** Writes red, green, blue and alpha; answers null where it cannot be decoded. */
    display: (
      into: { data: Uint8ClampedArray; width: number; height: number },
      done: (decoded: object | null) => void,
    ) => void
  }
  const open: () => { HeifDecoder: new () => { decode: (file: Uint8Array) => Image[] } }
  export default open
}
