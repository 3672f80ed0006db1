import { deskOf } from '../bridge.svelte.ts'
import { addressOf, addressOfList, goTo, place, type PlaceName } from './place.svelte.ts'

const afterMs = 200

/** What was kept of the archive that is shown, by list; and of which archive it is. */
let kept = $state.raw<{ archive: string; lists: Record<string, string> }>()

/** The archive that is shown, or will be once that is read. */
let wanted: string | undefined

/**
 * Reads how lists of the archive were shown that is shown from now on, unless that is known. Its pages wait
 * for that, so that they open as they were left.
 */
export const loadViews = async (archive: string) => {
  wanted = archive
  if (kept?.archive === archive) return
  const lists = await deskOf(archive)
    .views.all()
    .catch(() => ({}))
  // Whoever has left it meanwhile may be back at the one before.
  if (wanted === archive) kept = { archive, lists }
}
/** The archive of which it is known how its lists were shown. */
export const viewsOf = () => kept?.archive

type Plain = string | number | boolean | string[]

/** What was kept, key by key: one of another kind than now expected is passed over. */
const merged = <T extends Record<string, Plain>>(defaults: T, body: string | undefined): T => {
  try {
    const read: unknown = JSON.parse(body ?? '{}')
    if (typeof read !== 'object' || read === null) return defaults
    const fitting = Object.entries(read).filter(
      ([key, value]) =>
        key in defaults &&
        typeof value === typeof defaults[key] &&
        Array.isArray(value) === Array.isArray(defaults[key]),
    )
    return { ...defaults, ...Object.fromEntries(fitting) }
  } catch {
    return defaults
  }
}

/** The address of a place, its list narrowed, or what it was asked, as it was when one left it. */
export const addressOfPlace = (name: PlaceName): string => {
  if (place.name === name) return addressOf(name)
  const { query, asked } = merged({ query: '', asked: '' }, kept?.lists[name])
  return addressOfList(name, query, asked)
}

export const goToPlace = (name: PlaceName) => goTo(addressOfPlace(name).slice('#/'.length))

/** How one list is shown: kept for its archive, also when the program starts again. */
export class ListView<T extends Record<string, Plain>> {
  value: T
  #name: string
  readonly #archive: string
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(name: string, defaults: T) {
    this.#name = name
    this.#archive = kept?.archive ?? ''
    this.value = $state.raw(merged(defaults, kept?.lists[name]))
  }
  change = (some: Partial<T>) => {
    this.value = { ...this.value, ...some }
    const body = JSON.stringify(this.value)
    if (kept?.archive === this.#archive) kept.lists[this.#name] = body
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      // How a list was shown is not worth a word of trouble.
      deskOf(this.#archive)
        .views.keep({ list: this.#name, body })
        .catch(() => undefined)
    }, afterMs)
  }
}
