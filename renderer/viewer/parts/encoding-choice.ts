import { encodings, type Encoding } from '../formats/encodings.ts'
import type { Choice } from '../messages.ts'

/** The encodings that a text may be read in, and the one that is guessed or chosen. */
export const encodingChoice = ({ name: chosen }: Encoding): Choice => ({
  name: 'encoding',
  values: encodings.map(({ name }) => ({ value: name, label: name })),
  chosen,
})
