import { element } from '../element.ts'
import type { Draw } from '../kind.ts'

const shownBytes = 4096
const perLine = 16
const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')
const printable = (byte: number) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·')

/** The beginning of any file, sixteen bytes a line: its place, the bytes, and what of them can be printed. */
export const draw: Draw = async (content, { root, note, say }) => {
  const bytes = await content.read(0, shownBytes)
  const lines = Array.from({ length: Math.ceil(bytes.length / perLine) }, (_, index) => {
    const line = [...bytes.subarray(index * perLine, (index + 1) * perLine)]
    const digits = line.map((byte) => hex(byte, 2)).join(' ')
    return `${hex(index * perLine, 8)}  ${digits.padEnd(perLine * 3)} ${line.map(printable).join('')}`
  })
  note(say.unknownKind)
  root.append(element('pre', { class: 'bytes' }, lines.join('\n')))
  return { text: () => lines.join('\n') }
}
