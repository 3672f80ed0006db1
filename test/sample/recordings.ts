import { writeFileSync } from 'node:fs'
import { harbour } from './photographs.ts'
import { run, type Place, type Studio } from './tools.ts'

const ffmpeg = (...args: string[]) => run('ffmpeg', '-y', '-loglevel', 'error', ...args)

const crane =
  'I was sixteen when I came to crane number three. In the winter the ice lay so thick that we walked to ' +
  'the mole. My father said: listen to the chain, not to the engine.'
const skola =
  'Vi gick i folkskolan på Repslagargatan. På vintern eldade vaktmästaren redan klockan fem, och ändå ' +
  'satt vi med vantar på.'

/** Speaks a text into a WAV file. */
const speak = (voice: string, text: string, target: string, speed = '140') =>
  run('espeak-ng', '-v', voice, '-s', speed, '-w', target, text)

/** Oral histories: the same voices in the formats of sound and film, with what was said. */
export const makeRecordings = async (studio: Studio, place: Place) => {
  const english = studio.spare('crane.wav')
  const swedish = studio.spare('skola.wav')
  speak('en-gb', crane, english)
  speak('sv', skola, swedish, '135')
  const title = ['-metadata', 'title=Crane 3', '-metadata', 'artist=Harbour Office', '-metadata', 'date=1987']
  ffmpeg('-i', english, '-ar', '16000', '-ac', '1', ...title, place('1/ljud/crane 3, 1987.wav'))
  ffmpeg('-i', swedish, '-ar', '22050', '-ac', '1', place('1/ljud/folkskolan, 1991.flac'))
  ffmpeg('-i', english, '-b:a', '48k', '-ar', '22050', ...title, place('1/ljud/crane 3, 1987.mp3'))
  ffmpeg(
    '-i',
    swedish,
    '-c:a',
    'libvorbis',
    '-q:a',
    '2',
    '-ar',
    '22050',
    place('1/ljud/folkskolan, 1991.ogg'),
  )
  const still = await studio.png(harbour(1963, 'colour', 1280, 800))
  const moving = [
    '-loop',
    '1',
    '-i',
    still,
    '-i',
    english,
    '-filter_complex',
    "[0:v]zoompan=z='1.35':x='(iw-iw/zoom)*on/190':y='(ih-ih/zoom)/2':d=1:s=480x270:fps=12,format=yuv420p[v]",
    '-map',
    '[v]',
    '-map',
    '1:a',
    '-shortest',
    '-t',
    '12',
  ]
  ffmpeg(
    ...moving,
    '-c:v',
    'libx264',
    '-crf',
    '30',
    '-preset',
    'slow',
    '-c:a',
    'aac',
    '-b:a',
    '48k',
    '-movflags',
    '+faststart',
    place('1/film/norra kajen, 1963.mp4'),
  )
  ffmpeg(
    ...moving,
    '-c:v',
    'libvpx-vp9',
    '-crf',
    '42',
    '-b:v',
    '0',
    '-c:a',
    'libopus',
    '-b:a',
    '32k',
    place('1/film/norra kajen, 1963.webm'),
  )
  writeFileSync(
    place('1/utskrifter/crane 3.md'),
    `# Crane 3, 1987\n\nInterview with a crane driver, warehouse 2.\n\n> ${crane}\n`,
  )
  writeFileSync(place('1/utskrifter/folkskolan.txt'), `Folkskolan, 1991\n\n${skola}\n`)
  writeFileSync(
    place('1/utskrifter/crane 3.vtt'),
    'WEBVTT\n\n00:00.000 --> 00:03.000\nI was sixteen when I came to crane number three.\n\n' +
      '00:03.000 --> 00:07.500\nIn the winter the ice lay so thick\nthat we walked to the mole.\n',
  )
}
