import { entryIn } from '../../../electron/common/records.ts'
import './player.css'
import { readWhole, type Content } from '../content.ts'
import { element } from '../element.ts'
import type { Controls, Stage } from '../kind.ts'
import type { SoundFacts } from '../formats/sound-facts.ts'
import { clockOf } from './numbers.ts'
import { drawWave } from './wave-form.ts'

const speeds = [0.5, 0.75, 1, 1.25, 1.5, 2]
const shortJump = 5
const longJump = 30

/**
 * Gives a player what it plays: by ranges where it lies in a package, else from memory.
 * @returns whether it can be played
 * @throws TooLarge, Unreachable
 */
export const loadMedia = async (media: HTMLMediaElement, content: Content, signal: AbortSignal) => {
  const address = content.address ?? URL.createObjectURL(new Blob([await readWhole(content)]))
  signal.addEventListener('abort', () => {
    media.pause()
    media.removeAttribute('src')
    media.load()
    if (content.address === undefined) URL.revokeObjectURL(address)
  })
  const loaded = new Promise<boolean>((done) => {
    media.addEventListener('loadedmetadata', () => done(true), { once: true })
    media.addEventListener('error', () => done(false), { once: true })
  })
  media.preload = 'metadata'
  media.src = address
  return loaded
}

/** Where a recording is, and how it is led back to there. */
export const playedBy = (media: HTMLMediaElement): Controls => ({
  played: () => {
    const { currentTime, paused, playbackRate, volume } = media
    return { currentTime, paused, playbackRate, volume }
  },
  playOn: ({ paused, ...played }) => {
    Object.assign(media, played)
    if (!paused) media.play().catch(() => media.pause())
  },
})

/** What is told of a recording beside it. */
export const tellOf = (
  { codec, rate, channels, bits, tags }: SoundFacts,
  { addFacts, language, say }: Stage,
  seconds: number,
) => {
  const kilohertz = rate === undefined ? '' : `${(rate / 1000).toLocaleString(language)} kHz`
  addFacts(
    { name: 'duration', value: clockOf(seconds) },
    { name: 'codec', value: codec ?? '' },
    { name: 'rate', value: kilohertz },
    { name: 'channels', value: channels === undefined ? '' : say.media.channels(channels) },
    { name: 'bitDepth', value: bits ? String(bits) : '' },
    ...tags,
  )
}

/** Where it is played, as a wave that can be pressed, dragged and gone through by keys. */
const seekerOf = (media: HTMLMediaElement, name: string, signal: AbortSignal) => {
  let peaks: readonly number[] = []
  const canvas = element('canvas', {
    class: 'wave',
    role: 'slider',
    tabindex: '0',
    'aria-label': name,
    'aria-valuemin': '0',
  })
  const refresh = () => {
    const { currentTime, duration } = media
    const whole = Number.isFinite(duration) ? duration : 0
    canvas.setAttribute('aria-valuemax', String(Math.floor(whole)))
    canvas.setAttribute('aria-valuenow', String(Math.floor(currentTime)))
    canvas.setAttribute('aria-valuetext', clockOf(currentTime))
    drawWave(canvas, peaks, whole === 0 ? 0 : currentTime / whole)
  }
  const seek = (event: PointerEvent) => {
    if (event.buttons !== 1 || !Number.isFinite(media.duration)) return
    media.currentTime = (Math.max(0, event.offsetX) / Math.max(1, canvas.clientWidth)) * media.duration
  }
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId)
    seek(event)
  })
  canvas.addEventListener('pointermove', seek)
  for (const event of ['timeupdate', 'seeking', 'durationchange']) media.addEventListener(event, refresh)
  const observer = new ResizeObserver(refresh)
  observer.observe(canvas)
  signal.addEventListener('abort', () => observer.disconnect())
  return {
    canvas,
    setPeaks: (next: readonly number[]) => {
      peaks = next
      refresh()
    },
  }
}

/** Whoever speaks to the computer says what stands on it (WCAG 2.5.3). */
const jumpButtonOf = (seconds: number, label: string) => {
  const shown = seconds < 0 ? `−${-seconds} s` : `+${seconds} s`
  return element('button', { type: 'button', 'aria-label': `${shown}, ${label}`, title: label }, shown)
}

/** Play, jump, speed and loudness of a recording. */
export const playerOf = (media: HTMLMediaElement, { say, language, signal }: Stage) => {
  const seeker = seekerOf(media, say.media.position, signal)
  const toggle = element('button', { type: 'button', class: 'play' })
  const time = element('span', { class: 'time' })
  const speed = element(
    'select',
    { 'aria-label': say.media.speed },
    ...speeds.map((value) =>
      element(
        'option',
        { value: String(value), selected: value === 1 },
        `${value.toLocaleString(language)} ×`,
      ),
    ),
  )
  const volume = element('input', {
    type: 'range',
    min: '0',
    max: '1',
    step: '0.05',
    value: '1',
    'aria-label': say.media.volume,
  })
  const jump = (seconds: number) => {
    media.currentTime = Math.max(0, Math.min(media.duration || 0, media.currentTime + seconds))
  }
  const jumpButton = (seconds: number, label: string) => {
    const button = jumpButtonOf(seconds, label)
    button.addEventListener('click', () => jump(seconds))
    return button
  }
  const press = () => {
    if (media.paused) media.play().catch(() => media.pause())
    else media.pause()
  }
  const refresh = () => {
    toggle.setAttribute('aria-label', media.paused ? say.media.play : say.media.pause)
    toggle.dataset['sign'] = media.paused ? 'play' : 'pause'
    time.textContent = `${clockOf(media.currentTime)} / ${clockOf(media.duration) || '–'}`
  }
  toggle.addEventListener('click', press)
  media.addEventListener('ratechange', () => (speed.value = String(media.playbackRate)))
  media.addEventListener('volumechange', () => (volume.value = String(media.volume)))
  speed.addEventListener('change', () => {
    media.playbackRate = Number(speed.value)
  })
  volume.addEventListener('input', () => {
    media.volume = Number(volume.value)
  })
  for (const event of ['play', 'pause', 'timeupdate', 'seeking', 'durationchange', 'ended'])
    media.addEventListener(event, refresh)
  const bar = element(
    'div',
    { class: 'player-bar' },
    toggle,
    jumpButton(-longJump, say.media.back(longJump)),
    jumpButton(longJump, say.media.forward(longJump)),
    time,
    element('label', {}, element('span', {}, say.media.speed), speed),
    element('label', {}, element('span', {}, say.media.volume), volume),
  )
  const player = element('div', { class: 'player' }, seeker.canvas, bar)
  const keys: Record<string, () => void> = {
    ArrowLeft: () => jump(-shortJump),
    ArrowRight: () => jump(shortJump),
    PageUp: () => jump(-longJump),
    PageDown: () => jump(longJump),
    Home: () => jump(-media.duration),
    End: () => jump(media.duration),
    ' ': press,
  }
  seeker.canvas.addEventListener('keydown', (event) => {
    const does = event.altKey || event.ctrlKey || event.metaKey ? undefined : entryIn(keys, event.key)
    if (!does) return
    does()
    event.preventDefault()
  })
  refresh()
  return { element: player, setPeaks: seeker.setPeaks }
}
