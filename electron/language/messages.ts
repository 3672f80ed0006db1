import type { MessageContent } from '../contract/alerts.ts'
import { archiveMessage } from './archive-words.ts'

export type Language = 'en' | 'sv'

interface Sentences {
  titles: Record<'preserved' | 'failed' | 'news' | 'ready' | 'search', string>
  stopped: (name: string) => string
  refused: (name: string) => string
  made: (name: string) => string
  search: (name: string, count: number) => string
  several: (count: number, failures: number) => string
  /** Of messages of which nobody knows whether they were shown before the desk ended. */
  missed: (count: number) => string
}

const sentences: Record<Language, Sentences> = {
  en: {
    titles: {
      preserved: 'Preserved',
      failed: 'Needs you',
      news: 'From the archive',
      ready: 'Ready',
      search: 'Watched search',
    },
    several: (count, failures) =>
      failures > 0 ? `${count} messages, ${failures} of them about failures` : `${count} messages`,
    missed: (count) =>
      count === 1 ? '1 message may not have been shown' : `${count} messages may not have been shown`,
    stopped: (name) => `${name}: stopped, and does not go on by itself`,
    refused: (name) => `${name}: the archive did not take it`,
    made: (name) => `${name}: the dissemination package is made`,
    search: (name, count) => `${name}: ${count} new`,
  },
  sv: {
    titles: {
      preserved: 'Bevarat',
      failed: 'Väntar på dig',
      news: 'Från arkivet',
      ready: 'Klart',
      search: 'Bevakad sökning',
    },
    several: (count, failures) =>
      failures > 0 ? `${count} meddelanden, ${failures} av dem om fel` : `${count} meddelanden`,
    missed: (count) =>
      count === 1 ? '1 meddelande har kanske inte visats' : `${count} meddelanden har kanske inte visats`,
    stopped: (name) => `${name}: stannade och går inte vidare av sig själv`,
    refused: (name) => `${name}: arkivet tog inte emot det`,
    made: (name) => `${name}: utlämnandepaketet är gjort`,
    search: (name, count) => `${name}: ${count === 1 ? '1 ny träff' : `${count} nya träffar`}`,
  },
}

/** What a message is about, in a person's language. */
export const messageTitle = (content: MessageContent, language: Language): string => {
  const { titles } = sentences[language]
  switch (content.says) {
    case 'text':
      return content.title
    case 'preserved':
    case 'news':
    case 'search':
      return titles[content.says]
    case 'made':
      return titles.ready
    case 'several':
    case 'missed':
      return content.failures > 0 ? titles.failed : titles.news
    default:
      return titles.failed
  }
}

/** What a message says, in a person's language. */
export const messageText = (content: MessageContent, language: Language): string => {
  const words = sentences[language]
  switch (content.says) {
    case 'text':
      return content.text
    case 'preserved':
      return content.name
    case 'news':
    case 'failure':
      return archiveMessage(content.name, language)
    case 'search':
      return words.search(content.name, content.count)
    case 'several':
      return words.several(content.count, content.failures)
    case 'missed':
      return words.missed(content.count)
    default:
      return words[content.says](content.name)
  }
}

/** What a message is about and says, in one line. */
export const messageLine =
  (language: Language) =>
  (content: MessageContent): string =>
    `${messageTitle(content, language)}: ${messageText(content, language)}`
