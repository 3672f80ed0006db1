import type { Told } from '../contract/alerts.ts'
import { toldText, toldTitle } from './told.ts'

/** What main says by itself: notices, menus, dialogs. The page has its own, larger dictionary. */
const en = {
  notices: {
    title: (told: Told) => toldTitle(told, 'en'),
    text: (told: Told) => toldText(told, 'en'),
    test: 'Notices reach you',
  },
  dialog: {
    choose: {
      folder: 'Add a folder to the transfer',
      files: 'Add files to the transfer',
      profile: 'Choose a BagIt profile',
      'check-folder': 'Check a package in a folder',
      'check-files': 'Check a package or a file',
      'hand-over': 'Where to put the transfer for another desk',
      'take-over': 'Open a transfer of another desk',
      table: 'Choose a table of transfers',
      'batch-folder': 'Choose a folder with one folder a transfer',
      searches: 'Choose a file of stored searches',
    },
    confirm: 'Choose',
    save: {
      findings: 'Save the findings',
      report: 'Save the report',
      list: 'Save the list',
      print: 'Save as PDF',
      searches: 'Save the searches',
      file: 'Save the file',
      journal: 'Save the journal',
      diagnostics: 'Save the diagnostics',
    },
  },
  start: {
    troubles: {
      full: (path: string) => `There is no room on the disk with ${path}.`,
      'not-allowed': (path: string) => `Lectern may not open ${path}.`,
      gone: (path: string) => `${path} cannot be reached.`,
      'read-back': (path: string) => `${path} cannot be read.`,
      held: (path: string) => `Another program is using ${path}.`,
      other: (path: string) => `${path} cannot be read.`,
    },
    detail: 'Your drafts are in this file. It stays as it is. Mend that, then try again.',
    again: 'Try again',
    quit: 'Quit',
  },
  page: {
    ended: 'What this window shows has stopped, and did not come back.',
    endedDetail: (log: string) =>
      `Nothing that was saved is lost, and Lectern goes on in the background. See the log: ${log}`,
    again: 'Show it again',
    close: 'Close the window',
    silent: 'This window does not answer.',
    silentDetail: 'It may still be at work. Shown again it begins anew: what was typed last may be lost.',
    wait: 'Wait',
  },
  startFailed: {
    failed: 'Lectern could not start.',
    detail: (reason: string, log: string) => `Reason: ${reason}\n\nWhat happened is in the log: ${log}`,
  },
  leave: {
    title: (count: number) =>
      count === 1 ? 'One item has not been sent yet.' : `${count} items have not been sent yet.`,
    detail: 'They are kept, and sent when Lectern runs again.',
    quit: 'Quit',
    stay: 'Stay',
  },
  menu: {
    file: 'File',
    edit: 'Edit',
    view: 'View',
    window: 'Window',
    help: 'Help',
    about: 'About Lectern',
    services: 'Services',
    hide: 'Hide Lectern',
    hideOthers: 'Hide Others',
    showAll: 'Show All',
    undo: 'Undo',
    redo: 'Redo',
    cut: 'Cut',
    copy: 'Copy',
    paste: 'Paste',
    delete: 'Delete',
    selectAll: 'Select All',
    actualSize: 'Actual Size',
    zoomIn: 'Zoom In',
    zoomOut: 'Zoom Out',
    fullScreen: 'Full Screen',
    minimize: 'Minimise',
    zoom: 'Zoom',
    close: 'Close Window',
    front: 'Bring All to Front',
    refresh: 'Fetch again',
    guide: 'Guide',
    log: 'Show log',
    open: 'Open Lectern',
    quit: 'Quit Lectern',
    quiet: 'Hold notices back',
    unread: (n: number) => (n === 1 ? '1 unread' : `${n} unread`),
  },
}

export type Words = typeof en

const sv: Words = {
  notices: {
    title: (told) => toldTitle(told, 'sv'),
    text: (told) => toldText(told, 'sv'),
    test: 'Notiser når fram till dig',
  },
  dialog: {
    choose: {
      folder: 'Lägg till en mapp i överföringen',
      files: 'Lägg till filer i överföringen',
      profile: 'Välj en BagIt-profil',
      'check-folder': 'Kontrollera ett paket i en mapp',
      'check-files': 'Kontrollera ett paket eller en fil',
      'hand-over': 'Var överföringen ska läggas för en annan arbetsplats',
      'take-over': 'Öppna en överföring från en annan arbetsplats',
      table: 'Välj en tabell med överföringar',
      'batch-folder': 'Välj en mapp med en mapp per överföring',
      searches: 'Välj en fil med sparade sökningar',
    },
    confirm: 'Välj',
    save: {
      findings: 'Spara resultatet',
      report: 'Spara rapporten',
      list: 'Spara listan',
      print: 'Spara som PDF',
      searches: 'Spara sökningarna',
      file: 'Spara filen',
      journal: 'Spara journalen',
      diagnostics: 'Spara diagnostiken',
    },
  },
  start: {
    troubles: {
      full: (path) => `Det finns inget utrymme på disken med ${path}.`,
      'not-allowed': (path) => `Lectern får inte öppna ${path}.`,
      gone: (path) => `${path} går inte att nå.`,
      'read-back': (path) => `${path} går inte att läsa.`,
      held: (path) => `Ett annat program använder ${path}.`,
      other: (path) => `${path} går inte att läsa.`,
    },
    detail: 'Dina utkast finns i filen, som lämnas som den är. Åtgärda det och försök igen.',
    again: 'Försök igen',
    quit: 'Avsluta',
  },
  page: {
    ended: 'Det som fönstret visar har stannat och kom inte tillbaka.',
    endedDetail: (log) =>
      `Inget som sparats är förlorat, och Lectern fortsätter i bakgrunden. Se loggen: ${log}`,
    again: 'Visa det igen',
    close: 'Stäng fönstret',
    silent: 'Fönstret svarar inte.',
    silentDetail:
      'Det kan fortfarande arbeta. Visas det igen börjar det om: det som skrevs sist kan gå förlorat.',
    wait: 'Vänta',
  },
  startFailed: {
    failed: 'Lectern kunde inte starta.',
    detail: (reason, log) => `Orsak: ${reason}\n\nVad som hände står i loggen: ${log}`,
  },
  leave: {
    title: (count) => (count === 1 ? 'En sak är inte skickad än.' : `${count} saker är inte skickade än.`),
    detail: 'De finns kvar och skickas när Lectern körs igen.',
    quit: 'Avsluta',
    stay: 'Stanna',
  },
  menu: {
    file: 'Arkiv',
    edit: 'Redigera',
    view: 'Visa',
    window: 'Fönster',
    help: 'Hjälp',
    about: 'Om Lectern',
    services: 'Tjänster',
    hide: 'Göm Lectern',
    hideOthers: 'Göm övriga',
    showAll: 'Visa alla',
    undo: 'Ångra',
    redo: 'Gör om',
    cut: 'Klipp ut',
    copy: 'Kopiera',
    paste: 'Klistra in',
    delete: 'Ta bort',
    selectAll: 'Markera allt',
    actualSize: 'Verklig storlek',
    zoomIn: 'Zooma in',
    zoomOut: 'Zooma ut',
    fullScreen: 'Helskärm',
    minimize: 'Minimera',
    zoom: 'Zooma',
    close: 'Stäng fönstret',
    front: 'Lägg alla överst',
    refresh: 'Hämta igen',
    guide: 'Handledning',
    log: 'Visa logg',
    open: 'Öppna Lectern',
    quit: 'Avsluta Lectern',
    quiet: 'Håll inne notiser',
    unread: (n) => `${n} olästa`,
  },
}

/** The words of a language; a setting of "system" follows the locale of the computer. */
export const wordsIn = (setting: 'system' | 'en' | 'sv', locale: string): Words =>
  languageOf(setting, locale) === 'sv' ? sv : en

export const languageOf = (setting: 'system' | 'en' | 'sv', locale: string): 'en' | 'sv' =>
  setting === 'system' ? (/^sv\b/i.test(locale) ? 'sv' : 'en') : setting
