import { entryIn } from '../../../electron/common/records.ts'
import type { Content } from '../content.ts'
import type { Field } from '../parts/field-list.ts'

/** Where samples lie that are not compressed. */
export interface Samples {
  start: number
  bytes: number
  channels: number
  /** Bits of one sample: 8 without a sign, 16, 24 or 32 with one. */
  bits: number
  isFloat: boolean
}

/** What a recording says of itself at its beginning. Undefined: not said there. */
export interface SoundFacts {
  codec: string | undefined
  rate: number | undefined
  channels: number | undefined
  bits: number | undefined
  /** Names of the dictionary’s `facts`. */
  tags: Field[]
  samples?: Samples
}

const beginningBytes = 64 * 1024
const mostChunks = 200
const mostTags = 40

const latin = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes)
const utf8 = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const trimmed = (text: string) => text.replace(/\0[^]*$/, '').trim()
const none = (): SoundFacts => ({
  codec: undefined,
  rate: undefined,
  channels: undefined,
  bits: undefined,
  tags: [],
})

/** Codes of the format of a WAVE file (RFC 2361). */
const waveCodecs: Record<number, string> = {
  1: 'PCM',
  2: 'ADPCM',
  3: 'PCM',
  6: 'A-law',
  7: 'µ-law',
  85: 'MP3',
}
/** Names under which RIFF keeps what it says in words. */
const infoNames: Record<string, string> = {
  INAM: 'title',
  IART: 'maker',
  ICRD: 'made',
  ISFT: 'program',
  ICOP: 'rights',
}
const vorbisNames: Record<string, string> = {
  TITLE: 'title',
  ARTIST: 'maker',
  DATE: 'made',
  ALBUM: 'album',
  COPYRIGHT: 'rights',
}
const id3Names: Record<string, string> = {
  TIT2: 'title',
  TPE1: 'maker',
  TALB: 'album',
  TDRC: 'made',
  TYER: 'made',
  TCOP: 'rights',
}

const infoTags = (bytes: Uint8Array): Field[] => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const tags: Field[] = []
  for (let at = 4; at + 8 <= bytes.length && tags.length < mostTags;) {
    const name = entryIn(infoNames, latin(bytes.subarray(at, at + 4)))
    const length = view.getUint32(at + 4, true)
    if (name) tags.push({ name, value: trimmed(utf8(bytes.subarray(at + 8, at + 8 + length))) })
    at += 8 + length + (length % 2)
  }
  return tags
}

/** What a broadcast wave says (EBU Tech 3285). */
const broadcastTags = (bytes: Uint8Array): Field[] => [
  { name: 'description', value: trimmed(utf8(bytes.subarray(0, 256))) },
  { name: 'maker', value: trimmed(utf8(bytes.subarray(256, 288))) },
  { name: 'made', value: trimmed(latin(bytes.subarray(320, 330))) },
]

/** RIFF, and RF64 for what is longer than 4 GB (EBU Tech 3306). */
const waveFacts = async (content: Content): Promise<SoundFacts> => {
  const facts = none()
  let codec = 0
  let longBytes: number | undefined
  for (let at = 12, count = 0; at + 8 <= content.bytes && count < mostChunks; count += 1) {
    const head = await content.read(at, at + 8)
    const name = latin(head.subarray(0, 4))
    const told = new DataView(head.buffer, head.byteOffset).getUint32(4, true)
    const length = name === 'data' && told === 0xffffffff ? (longBytes ?? content.bytes - at - 8) : told
    const body =
      name === 'data' ? head : await content.read(at + 8, at + 8 + Math.min(length, beginningBytes))
    const view = new DataView(body.buffer, body.byteOffset, body.length)
    if (name === 'ds64' && body.length >= 16) longBytes = Number(view.getBigUint64(8, true))
    else if (name === 'fmt ' && body.length >= 16) {
      const format = view.getUint16(0, true)
      codec = format === 0xfffe && body.length >= 26 ? view.getUint16(24, true) : format
      facts.codec = waveCodecs[codec] ?? `0x${codec.toString(16)}`
      facts.channels = view.getUint16(2, true)
      facts.rate = view.getUint32(4, true)
      facts.bits = view.getUint16(14, true)
    } else if (name === 'LIST' && latin(body.subarray(0, 4)) === 'INFO') facts.tags.push(...infoTags(body))
    else if (name === 'bext') facts.tags.push(...broadcastTags(body))
    else if (name === 'data') {
      const bytes = Math.min(length, content.bytes - at - 8)
      const { channels = 0, bits = 0 } = facts
      if ((codec === 1 || codec === 3) && channels > 0 && [8, 16, 24, 32].includes(bits))
        facts.samples = { start: at + 8, bytes, channels, bits, isFloat: codec === 3 }
    }
    at += 8 + length + (length % 2)
  }
  return facts
}

const vorbisTags = (bytes: Uint8Array): Field[] => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const tags: Field[] = []
  if (bytes.length < 8) return tags
  let at = 4 + view.getUint32(0, true) + 4
  while (at + 4 <= bytes.length && tags.length < mostTags) {
    const length = view.getUint32(at, true)
    const [key = '', ...value] = utf8(bytes.subarray(at + 4, at + 4 + length)).split('=')
    const name = entryIn(vorbisNames, key.toUpperCase())
    if (name) tags.push({ name, value: value.join('=') })
    at += 4 + length
  }
  return tags
}

const flacFacts = (bytes: Uint8Array): SoundFacts => {
  const facts = { ...none(), codec: 'FLAC' }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  for (let at = 4; at + 4 <= bytes.length;) {
    const [head, length] = [view.getUint8(at), view.getUint32(at) & 0xffffff]
    const body = bytes.subarray(at + 4, at + 4 + length)
    if ((head & 0x7f) === 0 && body.length >= 18) {
      const packed = new DataView(body.buffer, body.byteOffset).getUint32(10)
      facts.rate = packed >>> 12
      facts.channels = ((packed >>> 9) & 7) + 1
      facts.bits = ((packed >>> 4) & 31) + 1
    } else if ((head & 0x7f) === 4) facts.tags.push(...vorbisTags(body))
    if ((head & 0x80) !== 0) break
    at += 4 + length
  }
  return facts
}

const id3Encodings = ['latin1', 'utf-16', 'utf-16be', 'utf-8']
const mp3Facts = (bytes: Uint8Array): SoundFacts => {
  const facts = { ...none(), codec: 'MP3' }
  const seven = (at: number) =>
    [0, 1, 2, 3].reduce((sum, step) => sum * 128 + ((bytes[at + step] ?? 0) & 0x7f), 0)
  if (latin(bytes.subarray(0, 3)) !== 'ID3') return facts
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const end = Math.min(bytes.length, 10 + seven(6))
  for (let at = 10; at + 11 <= end && facts.tags.length < mostTags;) {
    const name = entryIn(id3Names, latin(bytes.subarray(at, at + 4)))
    const length = bytes[3] === 4 ? seven(at + 4) : view.getUint32(at + 4)
    if (length === 0) break
    const text = bytes.subarray(at + 11, Math.min(end, at + 10 + length))
    const encoding = id3Encodings[bytes[at + 10] ?? 0] ?? 'latin1'
    if (name) facts.tags.push({ name, value: trimmed(new TextDecoder(encoding).decode(text)) })
    at += 10 + length
  }
  return facts
}

/** Names of codecs as containers spell them. */
const codecNames: [RegExp, string][] = [
  [/OpusHead|A_OPUS/, 'Opus'],
  [/vorbis|A_VORBIS/, 'Vorbis'],
  [/\x7fFLAC|A_FLAC/, 'FLAC'],
  [/avc[13]|V_MPEG4\/ISO\/AVC/, 'H.264'],
  [/hvc1|hev1|V_MPEGH/, 'H.265'],
  [/av01|V_AV1/, 'AV1'],
  [/vp09|V_VP9/, 'VP9'],
  [/V_VP8/, 'VP8'],
  [/\x80theora/, 'Theora'],
  [/mp4a|A_AAC/, 'AAC'],
  [/apc[nhos]|ap4h/, 'ProRes'],
  [/A_PCM/, 'PCM'],
]

/** What a sound or a film says of itself. @throws Unreachable */
export const readSoundFacts = async (content: Content): Promise<SoundFacts> => {
  const bytes = await content.read(0, beginningBytes)
  const text = latin(bytes)
  if (/^(RIFF|RF64|BW64)....WAVE/s.test(text)) return waveFacts(content)
  if (text.startsWith('fLaC')) return flacFacts(bytes)
  if (text.startsWith('ID3') || bytes[0] === 0xff) return mp3Facts(bytes)
  // The codecs of a film stand at its end where it was not made to be sent.
  const end = latin(await content.read(Math.max(0, content.bytes - beginningBytes), content.bytes))
  const codec = codecNames.filter(([spelt]) => spelt.test(text) || spelt.test(end)).map(([, name]) => name)
  return { ...none(), codec: codec.length > 0 ? codec.join(', ') : undefined }
}
