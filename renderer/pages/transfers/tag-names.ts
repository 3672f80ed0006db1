import { say } from '../../language/say.svelte.ts'

/** What a further field of a package is called: one of METS in each language, one of a profile as it says. */
export const tagName = (label: string): string =>
  (say.packing.fields as Record<string, string>)[label] ?? label

/** So many signs of a vocabulary are shown beside a field; a longer one is no help there. */
const mostShown = 80

/** What a field holds, as a profile says it, and which values it may have where they are few. */
export const tagHint = ({ description, values }: { description: string; values: string[] }): string => {
  const list = values.join(', ')
  const allowed = list === '' || list.length > mostShown ? '' : say.packing.allowedValues(list)
  return [description, allowed].filter(Boolean).join(' ')
}
