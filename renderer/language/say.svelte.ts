import { en, type Dictionary } from './en.ts'
import * as form from './form.ts'
import { sv } from './sv.ts'

const dictionaries: Record<form.Language, Dictionary> = { en, sv }
let language = $state<form.Language>('en')

export const setLanguage = (next: form.Language) => {
  language = next
  document.documentElement.lang = next
}

/** What the page says, in the reader's language. */
export const say = new Proxy({} as Dictionary, { get: (_none, key: keyof Dictionary) => dictionaries[language][key] })

/** Numbers, sizes and moments in the reader's own form. */
export const shown = {
  number: (value: number) => form.number(value, language),
  size: (bytes: number) => form.size(bytes, language),
  moment: (iso: string | null) => form.shortMoment(iso, language),
  wholeMoment: (iso: string | null) => form.longMoment(iso, language),
  clock: (iso: string | null) => form.clockTime(iso, language),
  duration: (seconds: number) => form.duration(seconds, language),
  percent: (share: number) => form.percent(share, language),
}
