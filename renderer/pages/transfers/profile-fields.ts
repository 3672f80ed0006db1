import { entryIn } from '../../../electron/common/records.ts'
import type { DraftProfile } from '../../../electron/contract/transfers.ts'
import { say } from '../../language/say.svelte.ts'

/** What a field is called: those of METS in each language, those of a receiver by their own labels. */
export const fieldName = (label: string): string => {
  return entryIn({ ...say.packing.labels, ...say.packing.fields }, label) ?? label
}

/** So many signs of a vocabulary are shown beside a field; a longer one is no help there. */
const mostShown = 80

/** What a field holds, as a profile says it, and which values it may have where they are few. */
export const fieldHint = ({ description, values }: { description: string; values: string[] }): string => {
  const list = values.join(', ')
  const allowed = list === '' || list.length > mostShown ? '' : say.packing.allowedValues(list)
  return [description, allowed].filter(Boolean).join(' ')
}

/** What a draft lacks of its profile, as a sentence. */
export const problemSentence = ({ rule, label, detail }: DraftProfile['problems'][number]): string => {
  const sentences: Record<string, (detail: string, field: string) => string> = say.packing.rules
  return entryIn(sentences, rule)?.(detail, fieldName(label ?? '')) ?? `${rule}: ${detail}`
}
