import type { MessageContent } from '../../contract/alerts.ts'

/**
 * How a message is kept: what it says, with its numbers, as one column and the name that it is about as
 * another; so it is read in whatever language is spoken then.
 */
export interface MessageColumns {
  code: string
  name: string
}

const named = ['preserved', 'failure', 'news', 'stopped', 'refused', 'made'] as const

export const toColumns = (content: MessageContent): MessageColumns => {
  switch (content.says) {
    case 'text':
      return { code: content.title, name: content.text }
    case 'search':
      return { code: `search ${content.count}`, name: content.name }
    case 'several':
    case 'missed':
      return { code: `${content.says} ${content.count} ${content.failures}`, name: '' }
    default:
      return { code: content.says, name: content.name }
  }
}

/** What was kept; undefined of an earlier version, which kept the sentences that it had shown. */
const known = ({ code, name }: MessageColumns): MessageContent | undefined => {
  const [says, count, failures] = code.split(' ')
  const counted = says === 'several' || says === 'missed' ? says : undefined
  if (counted && /^\w+ \d+ \d+$/.test(code))
    return { says: counted, count: Number(count), failures: Number(failures) }
  if (/^search \d+$/.test(code)) return { says: 'search', name, count: Number(count) }
  const other = named.find((one) => one === code)
  return other && { says: other, name }
}

export const fromColumns = (columns: MessageColumns): MessageContent =>
  known(columns) ?? { says: 'text', title: columns.code, text: columns.name }

/**
 * What a line of the journal says was told: its detail begins with what it says, and the keys of the messages
 * follow. Null of any other line, and of one that has the sentence that was shown.
 */
export const messageInJournal = (
  act: string,
  { name, detail }: { name: string; detail: string },
): MessageContent | null => {
  if (act !== 'notice.shown' && act !== 'notice.digest') return null
  const [code = ''] = /^(several|missed) \d+ \d+|^search \d+|^\w+/.exec(detail) ?? []
  return known({ code, name }) ?? null
}
