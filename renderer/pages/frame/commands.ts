import { entryIn } from '../../../electron/common/records.ts'
import { endingOf, iconOfEnding } from '../../../electron/contract/file-endings.ts'
import { wholeText, type MarkedText, type SearchHit } from '../../../electron/contract/search.ts'
import { say } from '../../language/say.svelte.ts'
import { copyText } from '../../parts/copy-text.ts'
import type { IconName } from '../../parts/icons.ts'
import type { ArchiveDesk } from '../../bridge.svelte.ts'
import { archiveName } from '../../state/archive-name.ts'
import { announcement } from '../../state/announce.svelte.ts'
import { beginOrder, beginTransfer } from '../../state/begin.ts'
import { go, place, railPlaces } from '../../state/place.svelte.ts'
import { printing } from '../../state/printing.svelte.ts'
import { session, type ShownSession } from '../../state/session.svelte.ts'
import { settings } from '../../state/settings.svelte.ts'
import { addressInReader } from '../../state/reader-address.ts'
import { goToPlace } from '../../state/views.svelte.ts'
import { guidePageOf } from '../help/address.ts'
import type { GuideHit } from '../help/guide.ts'

/** What the search field can do beside finding. */
export interface Entry {
  id: string
  group: string
  /** What kind of thing it leads to. */
  icon: IconName | undefined
  text: string
  note: string
  shortcut: string
  /** Why it cannot be done now. */
  whyNot: string
  run: () => unknown
}

/** An entry of the list below the search field. */
export const entry = (
  id: string,
  group: string,
  text: string,
  run: () => unknown,
  more: Partial<Entry> = {},
): Entry => ({ id, group, icon: undefined, text, note: '', shortcut: '', whyNot: '', run, ...more })

/** What links may lead to; the part of the address that is its id. */
const linkable = ({ account }: ShownSession): string | undefined => {
  const kinds: Partial<Record<typeof place.name, string>> = {
    packages: 'package',
    storage: 'medium',
    transfers: 'transfer',
    orders: 'order',
  }
  const kind = kinds[place.name]
  const archive = account && (account.isHere ? account.archive : URL.parse(account.url)?.host)
  return kind && archive && /^[\w.-]+$/.test(place.id)
    ? `lectern://${archive}/${kind}/${place.id}`
    : undefined
}

const copyLink = (link: string) => {
  copyText(link)
  announcement.say(() => say.palette.linkCopied)
}

/** The page of the guide that fits the place where one is. */
export const openGuide = () => {
  if (place.name !== 'help') go('help', guidePageOf[place.name], '')
}

/** Places, and what can be done wherever one is. */
export const commandsOf = (desk: ArchiveDesk, status: ShownSession): Entry[] => {
  const link = linkable(status)
  return [
    ...railPlaces.map(({ name, key }) =>
      entry(`go ${name}`, say.palette.places, say.places[name], () => goToPlace(name), {
        icon: name,
        shortcut: key,
      }),
    ),
    entry('go checks', say.palette.places, say.places.checks, () => go('checks'), { icon: 'checks' }),
    entry('go help', say.palette.places, say.places.help, () => openGuide(), {
      icon: 'help',
      shortcut: 'F1',
    }),
    entry('about', say.palette.commands, say.about.title, () => go('help', 'about', '')),
    entry('new transfer', say.palette.commands, say.palette.newTransfer, () => beginTransfer(desk)),
    entry('start', say.palette.commands, say.packing.start.more, () => go('transfers', 'start')),
    entry('new order', say.palette.commands, say.palette.newOrder, () => beginOrder(desk)),
    entry('print', say.palette.commands, say.print.open, () => printing.open(), { shortcut: 'Ctrl+P' }),
    entry('fetch', say.palette.commands, say.palette.fetch, () => desk.connection.refresh(), {
      shortcut: 'F5',
    }),
    ...status.others.map((other) =>
      entry(`switch ${other.archive}`, say.palette.commands, say.palette.switchTo(archiveName(other)), () =>
        session.turnTo(other.archive),
      ),
    ),
    ...(['light', 'dark', 'system'] as const).map((theme) =>
      entry(`theme ${theme}`, say.palette.commands, say.palette.theme[theme], () =>
        settings.change({ theme }),
      ),
    ),
    ...(['en', 'sv'] as const).map((language) =>
      entry(`language ${language}`, say.palette.commands, say.palette.language[language], () =>
        settings.change({ language }),
      ),
    ),
    ...(link === undefined
      ? []
      : [entry('link', say.palette.commands, say.palette.copyLink, () => copyLink(link))]),
    entry('sign out', say.palette.commands, say.palette.signOut, () => session.signOut()),
  ]
}

/** So many pages of the guide stand beside all else that is found. */
const mostOfGuide = 4

/** So many letters stand before the first word that was found, in a line that shows but a part. */
const mostBefore = 32

/** What a text says from shortly before what was found in it. */
export const fromMatch = (parts: MarkedText) => {
  const before = wholeText(
    parts.slice(
      0,
      Math.max(
        0,
        parts.findIndex(({ isMatch }) => isMatch),
      ),
    ),
  )
  const cut = before.length > mostBefore ? before.indexOf(' ', before.length - mostBefore) : -1
  return cut < 0 ? wholeText(parts) : `…${wholeText(parts).slice(cut)}`
}

/** Pages of the guide that were found, each once, with the sentence that says it best. */
export const guideEntries = (hits: GuideHit[]): Entry[] =>
  hits
    .filter(({ page }, index) => hits.findIndex((hit) => hit.page === page) === index)
    .slice(0, mostOfGuide)
    .map(({ page, address, title, sentence }) =>
      entry(`guide ${page}`, say.places.help, wholeText(title), () => (location.hash = address), {
        icon: 'help',
        note: fromMatch(sentence),
      }),
    )

/** So many files of the archive's index stand below all else that is found. */
const mostFiles = 5

/** Files that the archive's index found, each opened at the word that was found in its text. */
export const fileEntries = (hits: readonly SearchHit[]): Entry[] =>
  hits
    .flatMap(({ id, part, title, file, excerpt, generation }) => {
      if (!file) return []
      const name = [wholeText(title), generation === null ? '' : say.packages.generation(generation)]
      const looked = excerpt.find(({ isMatch }) => isMatch)?.text ?? ''
      const address = addressInReader(file.package, { path: file.path, looked })
      const note = excerpt.length > 0 ? fromMatch(excerpt) : file.path
      return [
        entry(
          `file ${id}`,
          entryIn(say.search.parts, part) ?? part,
          name.filter(Boolean).join(' · '),
          () => (location.hash = address),
          {
            icon: iconOfEnding(endingOf(file.path)),
            note,
          },
        ),
      ]
    })
    .slice(0, mostFiles)

/** What is written on it, without its key and without how many there are. */
const wordsOf = (element: Element) =>
  [...element.childNodes]
    .filter((child) => !(child instanceof Element && child.matches('kbd, .num')))
    .map((child) => child.textContent)
    .join(' ')

const pressed = [
  'header button',
  'header a[href]:not([href="#main"])',
  'main button',
  'main summary',
  'main a[href]',
  'main input[type=checkbox]',
].join()

/** What stands in lists, sorts them, lies above the page, or explains a term. */
const notOffered = '[role=row], [role=columnheader], dialog, .term'

/** Everything that can be pressed on the page now, as a screen reader would call it. */
export const pressable = (): Entry[] => {
  const seen = new Set<string>()
  return [...document.querySelectorAll<HTMLElement>(pressed)].flatMap((element, index) => {
    if (element.closest(notOffered) || !element.checkVisibility()) return []
    const label =
      element instanceof HTMLInputElement
        ? (element.labels?.[0]?.textContent ?? '')
        : (element.getAttribute('aria-label') ?? wordsOf(element))
    const shortcut = element.getAttribute('aria-keyshortcuts') ?? ''
    const text = label.replace(/\s+/g, ' ').trim()
    if (text === '' || seen.has(text)) return []
    seen.add(text)
    const whyNot = element.getAttribute('aria-disabled') === 'true' ? element.title : ''
    return [
      entry(
        `page ${index}`,
        say.palette.onPage,
        text,
        () =>
          element instanceof HTMLElement && element.tagName === 'SUMMARY'
            ? (element.click(), element.focus())
            : element.click(),
        {
          shortcut,
          whyNot,
        },
      ),
    ]
  })
}
