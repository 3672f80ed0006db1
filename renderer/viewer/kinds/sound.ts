import { element } from '../element.ts'
import type { Draw } from '../kind.ts'
import { readSoundFacts } from '../formats/sound-facts.ts'
import { loadMedia, playedBy, playerOf, tellOf } from '../parts/player.ts'
import { peaksOf } from '../parts/wave-form.ts'

/** A recording that Chromium decodes; of one that it does not, what it is. */
export const draw: Draw = async (content, stage) => {
  const { root, say, note, signal } = stage
  const facts = await readSoundFacts(content)
  const audio = element('audio')
  const isPlayable = await loadMedia(audio, content, signal)
  tellOf(facts, stage, isPlayable ? audio.duration : NaN)
  const title = element('h1', {}, facts.tags.find(({ name }) => name === 'title')?.value || content.name)
  if (!isPlayable) {
    note(say.media.undecodable(facts.codec ?? ''))
    root.append(element('article', { class: 'recording' }, title))
    return {}
  }
  const player = playerOf(audio, stage)
  root.append(element('article', { class: 'recording' }, title, audio, player.element))
  // Whoever cannot see how loud it is still hears it.
  peaksOf(content, facts.samples, { seconds: audio.duration, signal }).then(player.setPeaks, () => undefined)
  return playedBy(audio)
}
