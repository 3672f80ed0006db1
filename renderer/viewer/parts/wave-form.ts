import { readWhole, type Content } from '../content.ts'
import type { Samples } from '../formats/sound-facts.ts'
import { pause } from './pause.ts'

const columns = 480
/** Of a long recording so many places are looked at, each a little. */
const mostPlaces = 96
const placeBytes = 48 * 1024
const shortBytes = 48 * 1024 * 1024
const mostDecodedBytes = 32 * 1024 * 1024
const mostDecodedSeconds = 15 * 60

const sampleReader = (view: DataView, { bits, isFloat }: Samples) => {
  if (isFloat) return (at: number) => view.getFloat32(at, true)
  if (bits === 8) return (at: number) => (view.getUint8(at) - 128) / 128
  if (bits === 16) return (at: number) => view.getInt16(at, true) / 32_768
  if (bits === 24) return (at: number) => view.getInt16(at + 1, true) / 32_768
  return (at: number) => view.getInt32(at, true) / 2_147_483_648
}

const peakIn = (bytes: Uint8Array, samples: Samples) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const valueAt = sampleReader(view, samples)
  const step = samples.bits / 8
  let peak = 0
  for (let at = 0; at + step <= bytes.length; at += step) {
    const value = Math.abs(valueAt(at))
    if (value > peak && value <= 1) peak = value
  }
  return peak
}

/** The loudest of each part of samples that are not compressed, of long ones at some places. */
const peaksOfSamples = async (content: Content, samples: Samples, signal: AbortSignal) => {
  const count = samples.bytes > shortBytes ? mostPlaces : columns
  const frame = (samples.bits / 8) * samples.channels
  const peaks: number[] = []
  for (let column = 0; column < count && !signal.aborted; column += 1) {
    const from = Math.floor(((column / count) * samples.bytes) / frame) * frame
    const whole = Math.ceil(samples.bytes / count)
    const length = samples.bytes > shortBytes ? Math.min(whole, placeBytes) : whole
    const bytes = await content.read(
      samples.start + from,
      samples.start + Math.min(samples.bytes, from + length),
    )
    peaks.push(peakIn(bytes, samples))
    if (column % 16 === 0) await pause()
  }
  return peaks
}

const decodedRate = 8_000

/** The same of what Chromium decodes, where it is not too long to be decoded whole. */
const peaksOfDecoded = async (content: Content) => {
  const bytes = await readWhole(content, mostDecodedBytes)
  const context = new OfflineAudioContext(1, 1, decodedRate)
  const decoded = await context.decodeAudioData(bytes.slice().buffer)
  const values = decoded.getChannelData(0)
  const each = Math.max(1, Math.floor(values.length / columns))
  return Array.from({ length: Math.min(columns, values.length) }, (_, column) =>
    values
      .subarray(column * each, (column + 1) * each)
      .reduce((most, value) => Math.max(most, Math.abs(value)), 0),
  )
}

/**
 * How loud a recording is from beginning to end: shares of the loudest that there can be.
 * @returns nothing where it is too long for that
 * @throws where it cannot be decoded; Unreachable
 */
export const peaksOf = async (
  content: Content,
  samples: Samples | undefined,
  { seconds, signal }: { seconds: number; signal: AbortSignal },
): Promise<number[]> => {
  if (samples) return peaksOfSamples(content, samples, signal)
  const isShort = content.bytes <= mostDecodedBytes && seconds <= mostDecodedSeconds
  return isShort ? peaksOfDecoded(content) : []
}

/** Draws a recording as bars, those that were played in another colour. */
export const drawWave = (canvas: HTMLCanvasElement, peaks: readonly number[], played: number) => {
  const scale = devicePixelRatio
  const [width, height] = [canvas.clientWidth, canvas.clientHeight]
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  const context = canvas.getContext('2d')
  if (!context) return
  context.scale(scale, scale)
  const style = getComputedStyle(canvas)
  const [before, after] = [style.getPropertyValue('--accent'), style.getPropertyValue('--ink-soft')]
  const bars = Math.max(1, Math.floor(width / 4))
  for (let bar = 0; bar < bars; bar += 1) {
    const from = Math.floor((bar / bars) * peaks.length)
    const end = Math.max(from + 1, Math.floor(((bar + 1) / bars) * peaks.length))
    const peak = peaks.slice(from, end).reduce((most, value) => Math.max(most, value), 0)
    const length = Math.max(2, peak * height)
    context.fillStyle = bar / bars < played ? before : after
    context.beginPath()
    context.roundRect((bar / bars) * width, (height - length) / 2, 2.4, length, 1.2)
    context.fill()
  }
}
