import { entryIn } from '../../electron/common/records.ts'
import {
  archiveKind,
  archiveMessage,
  archiveWord,
  wordOfArchive,
} from '../../electron/language/archive-words.ts'
import { countedSentence, findingSentence } from '../../electron/language/findings.ts'
import { messageLine, messageText } from '../../electron/language/messages.ts'
import { en, type Dictionary } from './en.ts'
import { fieldName, profileKind } from './field-names.ts'
import * as formatters from './formatters.ts'
import { sv } from './sv.ts'

const dictionaries: Record<formatters.Language, Dictionary> = { en, sv }
let language = $state<formatters.Language>('en')

export const setLanguage = (next: formatters.Language) => {
  language = next
  document.documentElement.lang = next
}

/** The language that is spoken now, for texts that no dictionary holds. */
export const spokenLanguage = () => language

/** What the page says, in the reader's language. */
export const say = new Proxy<Dictionary>(en, {
  get: (_english, key: keyof Dictionary) => dictionaries[language][key],
})

/** Numbers, sizes and moments in the reader's own form. */
export const shown = {
  number: (value: number) => formatters.number(value, language),
  size: (bytes: number) => formatters.size(bytes, language),
  moment: (iso: string | null) => formatters.shortMoment(iso, language),
  wholeMoment: (iso: string | null) => formatters.longMoment(iso, language),
  /** A day, where it is one, else the moment. */
  day: (iso: string | null) => formatters.day(iso, language),
  /** A text of the archive as it stands on paper. */
  onPaper: (text: string) => formatters.onPaper(text, language),
  today: () => formatters.today(language),
  weekday: (iso: string | null) => formatters.weekday(iso, language),
  clock: (iso: string | null) => formatters.clockTime(iso, language),
  /** A moment as it stands in a list, with its time also where it is not of today. */
  dayAndClock: (iso: string | null) => {
    const [day, clock] = [formatters.shortMoment(iso, language), formatters.clockTime(iso, language)]
    return day === clock ? clock : `${day} ${clock}`
  },
  duration: (seconds: number) => formatters.duration(seconds, language),
  percent: (share: number) => formatters.percent(share, language),
  /** A field of a record by its name in the interface. */
  field: (name: string, said = '') => fieldName(name, language, said),
  /** A kind of profile by its name in the interface. */
  profileKind: (name: string) => profileKind(name, language),
  /** A state, a step or an event by the word that the archive has for it. */
  word: (text: string) => archiveWord(text, language),
  /** The other way round: what the archive calls what a person typed. */
  wordOfArchive: (text: string) => wordOfArchive(text, language),
  /** A kind of file, or the meaning of a code. */
  kind: (text: string) => archiveKind(text, language),
  /** A record of a list by its title: the archive itself names events, and writes messages. */
  title: (list: string, text: string) => {
    if (list === 'events' || list === 'event-types') return archiveWord(text, language)
    return list === 'notifications' ? archiveMessage(text, language) : text
  },
  /** What tells a record from others of its list, in the reader's own form: a time, a kind, an outcome. */
  note: (list: string, text: string) => {
    if (list === 'profiles') return profileKind(text, language)
    if (list.startsWith('storage-')) return archiveKind(text, language)
    if (/^\d{4}-\d\d-\d\dT/.test(text)) return formatters.shortMoment(text, language)
    return list === 'events' ? archiveMessage(text, language) : text
  },
  /** What a message says. */
  messageText: (content: Parameters<typeof messageText>[0]) => messageText(content, language),
  /** What a message is about and says, in one line. */
  messageLine: (content: Parameters<typeof messageText>[0]) => messageLine(language)(content),
  /** What the archive told a person. */
  message: (text: string) => archiveMessage(text, language),
  /** One record of a list, by the list's name. */
  oneOf: (list: string) => entryIn(say.description.oneOf, list) ?? shown.list(list),
  /** A list by its path; one that the dictionary does not know yet is called by it. */
  list: (path: string) =>
    entryIn(say.description.lists, path) ?? fieldName(path.replaceAll('-', '_'), language),
  /** A value that came as text: days, moments and yes or no in the reader's own form, nothing as a dash. */
  value: (text: string) => {
    if (text === '') return '—'
    if (text === 'true' || text === 'false') return text === 'true' ? say.common.yes : say.common.no
    if (formatters.isDay(text)) return formatters.day(text, language)
    return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) ? formatters.longMoment(text, language) : text
  },
}

/** What a look at a bag found, as a sentence. */
export const finding = (found: Parameters<typeof findingSentence>[0]) => findingSentence(found, language)
export const counted = (found: Parameters<typeof countedSentence>[0]) => countedSentence(found, language)
