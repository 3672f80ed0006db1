import { say } from '../../language/say.svelte.ts'

/** What a further field of a package is called: one of METS in each language, one of a profile as it says. */
export const tagName = (label: string): string =>
  (say.packing.fields as Record<string, string>)[label] ?? label

/** What a field holds, as a profile says it, and which values it may have. */
export const tagHint = ({ description, values }: { description: string; values: string[] }): string =>
  [description, values.length > 0 ? say.packing.allowedValues(values.join(', ')) : '']
    .filter(Boolean)
    .join(' ')
