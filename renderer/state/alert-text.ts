import type { ShownAlert } from '../../electron/contract/alerts.ts'
import { say, shown } from '../language/say.svelte.ts'

/** What an alert says in a line: its own words, or how many alike came in one burst, and of which package. */
export const alertText = ({ keys, text, package: about }: Pick<ShownAlert, 'keys' | 'text' | 'package'>) =>
  keys.length === 1
    ? shown.message(text)
    : [about?.label, say.deskPage.burst(keys.length, shown.message(text))].filter(Boolean).join(': ')
