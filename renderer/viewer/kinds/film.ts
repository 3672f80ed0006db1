import { element } from '../element.ts'
import type { Draw } from '../kind.ts'
import { readSoundFacts } from '../formats/sound-facts.ts'
import { loadMedia, playedBy, playerOf, tellOf } from '../parts/player.ts'

/** A film that Chromium decodes, or what of it is decoded. */
export const draw: Draw = async (content, stage) => {
  const { root, say, note, addFacts, signal } = stage
  const video = element('video', { 'aria-label': content.name, playsinline: true })
  const [facts, isPlayable] = await Promise.all([readSoundFacts(content), loadMedia(video, content, signal)])
  tellOf(facts, stage, isPlayable ? video.duration : NaN)
  if (!isPlayable) {
    note(say.media.undecodable(facts.codec ?? ''))
    root.append(element('article', { class: 'recording' }, element('h1', {}, content.name)))
    return {}
  }
  if (video.videoWidth === 0) note(say.media.soundAlone(facts.codec ?? ''))
  else addFacts({ name: 'dimensions', value: `${video.videoWidth} × ${video.videoHeight}` })
  const player = playerOf(video, stage)
  root.append(element('article', { class: 'film' }, video, player.element))
  return playedBy(video)
}
