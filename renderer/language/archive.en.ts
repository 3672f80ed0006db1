import { number, size } from './formatters.ts'
import type { Widened } from './reading-room.en.ts'

const n = (value: number) => number(value, 'en')

/** What an archive can do, and what is done in it beyond lists: its files, its work, and changing records. */
export const archiveEn = {
  capabilities: {
    title: 'What this archive can do',
    asOf: (moment: string) => `As it said itself, ${moment}`,
    ask: 'Ask again',
    never: 'It has not been asked yet.',
    names: {
      organization: 'You work for',
      lists: 'Lists',
      search: 'Search',
      files: 'Files of a package',
      steps: 'Work on a package',
      access: 'Get from storage',
      dip: 'Dissemination packages',
      submission: 'Transfers',
      notifications: 'Notifications',
      push: 'News',
      signIn: 'Signed in',
      features: 'Parts of it',
    },
    lists: (isPaged: boolean, isCounting: boolean) =>
      (isPaged ? 'come in pages; they are read to the end' : 'come whole') +
      (isCounting
        ? ', and say how many there are'
        : '; they do not say how many there are, so their end is found by reading'),
    search: (can: boolean) =>
      can ? 'looks in the archive’s own index' : 'is not offered; what is held here is searched',
    denied: {
      files: 'your role there shows you only those of your own packages',
      access: 'your role there may not ask for it',
      dip: 'your role there may not make any',
    },
    files: (can: boolean) => (can ? 'can be listed, looked at and downloaded' : 'are not offered'),
    steps: (can: boolean) =>
      can ? 'is shown with its steps, and what failed' : 'is not shown; only the state is known',
    access: (can: boolean) => (can ? 'can be asked for from here' : 'is done by the archive’s own staff'),
    dip: (can: boolean) =>
      can ? 'can be made for an order, step by step' : 'are not made over the interface',
    submission: {
      unknown:
        'wait: the archive answered with an error when asked how it takes them, and is asked again soon',
      no: 'go into the ingest folder of a storage policy, which has to be a drive of this computer',
      'not allowed': 'go over the interface; your role there may not send any',
      'until submitted':
        'go over the interface until they are submitted; a colleague who may receive packages there goes on',
      whole: 'go over the interface until they are preserved',
    },
    notifications: (can: boolean) =>
      can ? 'can be marked as seen there too' : 'are marked as seen on this computer only',
    push: (can: boolean) =>
      can ? 'come by a channel of their own, and by looking now and then' : 'are looked for now and then',
    token: (ends: string) => `until ${ends}`,
    tokenOpen: 'until further notice',
    basic: 'with name and password in every request',
    noOrganization:
      'You belong to no organization there. Creating deliveries, transfers, agents and locations is ' +
      'likely to fail: ask the administrator of the archive.',
    on: (name: string) => `${name}: on`,
    off: (name: string) => `${name}: off`,
    creates: {
      title: 'Where you can create',
      list: 'Here',
      'not allowed': 'Your role there does not allow it',
      administration: 'In the archive’s own administration, not over its interface',
      never: 'Read only',
      unknown: 'Not known',
      'not there': 'The archive does not have',
    },
    changed: (name: string) => `You work for ${name} now. Everything is read again.`,
  },
  files: {
    title: 'Files',
    root: 'Package',
    name: 'Name',
    size: 'Size',
    modified: 'Changed',
    none: 'This folder is empty.',
    emptyFile: 'The file is empty.',
    notFound:
      'The archive cannot give these files now: they may lie on a tape, or elsewhere. “Copies” says where.',
    notAllowed: 'Your role there does not let you look into the files of this package.',
    path: 'Folder',
    showFile: (name: string) => `Look at ${name}`,
    open: (name: string) => `Open ${name}`,
    download: 'Download',
    downloadWhole: 'Download the whole file',
    preview: (name: string) => `Content of ${name}`,
    sandbox: 'Shown apart from the rest of Lectern: nothing in the file can run or reach a network.',
    downloads: 'Downloads',
    states: {
      running: 'Arriving',
      stopped: 'Stopped',
      failed: 'Broke off',
      done: 'Saved',
      altered: 'Altered',
    },
    share: (done: number, all: number | null) =>
      all === null ? size(done, 'en') : `${size(done, 'en')} of ${size(all, 'en')}`,
    stop: 'Stop',
    resume: 'Go on',
    fetchAgain: 'Fetch it again',
    forget: 'Take off the list',
  },
  work: {
    title: 'Work in the archive',
    states: {
      waiting: 'Waiting',
      running: 'Running',
      done: 'Done',
      failed: 'Failed',
      stopped: 'Stopped',
      'not begun': 'Not begun',
    },
    failedAt: (state: string, number: number, label: string) =>
      `The state says “${state}”, but step ${number} failed: ${label}.`,
    failed: (label: string) => `Failed: ${label}.`,
    said: 'The archive says',
    later: (count: number) =>
      count === 1
        ? '1 event is newer than what is held here:'
        : `${n(count)} events are newer than what is held here:`,
    copies: (now: number, held: number) =>
      `The archive counts ${now === 1 ? '1 copy' : `${n(now)} copies`} now; ` +
      `${n(held)} ${held === 1 ? 'is' : 'are'} held here.`,
  },
  dips: {
    title: 'Dissemination package',
    hint:
      'The archive gets the packages from storage and puts them together for this order. You may leave ' +
      'at any point; it goes on from where it stands.',
    agreement: 'Submission agreement',
    begin: 'Make the package',
    act: 'make dissemination packages',
    stages: {
      register: 'Registered',
      agree: 'Agreement',
      prepare: 'Prepared',
      fetch: 'From storage',
      copy: 'Copied',
      create: 'Made',
    },
    doing: {
      register: 'Being registered',
      agree: 'Agreement being added',
      prepare: 'Being prepared',
      fetch: 'Being fetched',
      copy: 'Being copied',
      create: 'Being made',
    },
    states: {
      working: 'The archive works on it.',
      stopped: 'Stopped. Go on when you like.',
      failed: 'It did not go on.',
      done: 'The package is made.',
    },
    items: {
      'to do': 'not asked for yet',
      asked: 'being read from storage',
      there: 'in your work area',
      copied: 'copied',
    },
    since: (when: string) => `, since ${when}`,
    unheard: (when: string) =>
      `, waited for since ${when}: the archive says that it is in your work area, or on its way, already`,
    goOn: 'Go on',
    stop: 'Stop',
    forget: 'Take off the list',
    forgetHint: 'Off the list, what the archive has of it stays there.',
    show: 'Show the package',
    order: 'Show the order',
    fetched: (done: number, all: number) => `${n(done)} of ${n(all)}`,
  },
  changes: {
    change: 'Change',
    title: (name: string) => `Change: ${name}`,
    hint: 'Only what you change is sent. Lists inside a record are changed in the archive itself.',
    save: 'Save',
    saved: 'Saved in the archive.',
    startOver: 'Start over from what is there now',
    differ: (count: number) =>
      count === 1
        ? 'Somebody else changed one field meanwhile. Nothing was saved yet.'
        : `Somebody else changed ${n(count)} fields meanwhile. Nothing was saved yet.`,
    choose: 'Choose what is to stand in each, then save again.',
    before: 'When you opened it',
    theirs: 'There now',
    mine: 'Yours',
    keepTheirs: 'Keep theirs',
    keepMine: 'Keep yours',
  },
}

export type ArchiveWords = Widened<typeof archiveEn>
