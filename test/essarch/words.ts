import type { Body } from '../../electron/local-archive/database.ts'
import type { Answer } from '../../electron/local-archive/http/answer.ts'

const swedish: Record<string, string> = {
  'This field is required.': 'Detta fält måste anges.',
  'This field may not be blank.': 'Detta fält får inte vara tomt.',
  'This field may not be null.': 'Detta fält får inte vara null.',
  'Unable to log in with provided credentials.': 'Kan inte logga in med angivna inloggningsuppgifter.',
  'You do not have permission to perform this action.': 'Du har inte tillåtelse att utföra denna åtgärd.',
  'Authentication credentials were not provided.': 'Autentiseringsuppgifter ej tillhandahållna.',
  'Invalid token.': 'Ogiltig token.',
  'Invalid username/password.': 'Ogiltigt användarnamn/lösenord.',
  'Not found.': 'Hittades inte.',
  'Invalid page.': 'Ogiltig sida.',
}
const statesInSwedish: Record<string, string> = {
  'is now preserved': 'är nu bevarad',
  'is now in workspace': 'finns nu i arbetsytan',
}

const translated = (value: unknown): unknown => {
  if (typeof value === 'string')
    return (
      swedish[value] ??
      Object.entries(statesInSwedish).reduce((text, [from, to]) => text.replace(from, to), value)
    )
  if (Array.isArray(value)) return value.map(translated)
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, record]) => [key, translated(record)]))
    : value
}

/** Messages follow Accept-Language; what people wrote themselves stays as it is. */
export const inLanguage = (answer: Answer, language: string | undefined): Answer =>
  answer.status >= 400 && /^\s*sv\b/i.test(language ?? '') && answer.body !== undefined
    ? { ...answer, body: translated(answer.body) }
    : answer

const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d:\d\d)$/

/** Moments as Django writes them for Stockholm in winter: with microseconds and an offset. */
export const moments = (value: unknown): unknown => {
  if (typeof value === 'string')
    return isMoment.test(value)
      ? new Date(Date.parse(value) + 3_600_000).toISOString().replace(/\.(\d{3})Z$/, '.$1000+01:00')
      : value
  if (Array.isArray(value)) return value.map(moments)
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, record]) => [key, moments(record)]))
    : value
}

const page = (title: string) =>
  '<!doctype html><html ' +
  `lang="en"><head><title>${title}</title></head><body><h1>${title}</h1><p></p></body></html>\n`

export const html = (status: number, title: string): Answer => ({
  status,
  headers: { 'Content-Type': 'text/html; charset=utf-8' },
  bytes: Buffer.from(page(title)),
})
/** A fault of the server's own, as Django shows it without its debugging. */
export const broken = () => html(500, 'Server Error (500)')
export const detail = (status: number, text: string): Answer => ({ status, body: { detail: text } })
export const forbidden = () => detail(403, 'You do not have permission to perform this action.')
export const notFound = () => detail(404, 'Not found.')
export const ok = (body?: Body, status = 200): Answer =>
  body === undefined ? { status, bytes: Buffer.alloc(0) } : { status, body }
