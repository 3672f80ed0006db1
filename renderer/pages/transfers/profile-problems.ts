import type { DraftProfile } from '../../../electron/contract/transfers.ts'
import { say } from '../../language/say.svelte.ts'

/** What a field is called: those of METS in each language, those of a receiver by their own labels. */
export const fieldName = (label: string): string =>
  (say.packing.fields as Record<string, string>)[label] ?? label

/** What a draft lacks of its profile, as a sentence. */
export const problemSentence = ({ rule, label, detail }: DraftProfile['problems'][number]): string => {
  const sentences: Record<string, (detail: string, field: string) => string> = say.packing.rules
  return sentences[rule]?.(detail, fieldName(label ?? '')) ?? `${rule}: ${detail}`
}
