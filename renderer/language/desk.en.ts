import { number } from './formatters.ts'

const n = (count: number) => number(count, 'en')

/** The Desk: what needs somebody, what is under way, and what was told, in English. */
export const deskEn = {
  unread: 'New since last time',
  seeAll: 'Mark all as read',
  isUnread: 'Unread',
  unreadCount: (count: number) => (count === 0 ? 'all read' : `${n(count)} unread`),
  openedLast: 'Opened last',
  packedUnsent: (lacks: 'delivery' | 'agreement' | null) =>
    lacks === null
      ? 'It is packed and lies on this computer. Nobody has sent it yet.'
      : `It is packed. Before it can be sent, choose ${
          lacks === 'delivery' ? 'a delivery' : 'a submission agreement'
        }.`,
  send: 'See what is left',
  lookAtTransfer: 'See what to do',
  inOutbox: 'Decide below',
  stoppedThere: (step: string) => `The archive stopped at it${step === '' ? '' : ` (${step})`}.`,
  stopped: (count: number) => `The archive stopped at ${n(count)} packages`,
  lookAtPackages: 'Look at them',
  first: {
    title: 'A first transfer in three steps',
    steps: [
      { what: 'Say what it is.', how: 'A name, whose records they are, and the delivery they belong to.' },
      {
        what: 'Choose what is to be handed over.',
        how: 'A folder, files, or a package from elsewhere: nothing is moved.',
      },
      {
        what: 'Pack and send it.',
        how: 'Without a network too: it goes off by itself later, exactly once.',
      },
    ],
    lookRound: 'Or look round first:',
    looks: {
      packages: 'what is held',
      storage: 'where its copies lie',
      description: 'how it is described',
    },
    begin: 'Begin a transfer',
    close: 'Do not show this again',
  },
  signInEnds: (time: string) => `Your sign-in ends at ${time}. Renew it when it suits you.`,
  renew: 'Renew',
  notFetched: (name: string) => `“${name}” was not fetched`,
  notAsPreserved: (name: string) => `“${name}” was saved, and is not what was preserved`,
  underWay: {
    title: 'Under way',
    packing: (name: string) => `Packing “${name}”`,
    sending: (name: string) => `Sending “${name}”`,
    fetching: (name: string) => `Fetching “${name}”`,
    checking: (name: string) => `Checking “${name}”`,
    batch: {
      packing: (name: string) => `Packing the batch “${name}”`,
      counting: (name: string) => `Counting the batch “${name}”`,
    },
    dip: (name: string) => `Making the dissemination package “${name}”`,
    fetched: (done: number, all: number) => `${n(done)} of ${n(all)} from storage`,
    pause: 'Pause',
    goOn: 'Go on',
    stop: 'Stop',
    paused: 'Paused',
    stopped: 'Stopped',
  },
  burst: (count: number, first: string) => `${n(count)} failures, the first: ${first}`,
  earlier: 'Earlier messages',
  allRead: 'You have read everything that the archive told.',
  holdings: {
    title: 'Holdings',
    packages: (packages: number, generations: number) =>
      [
        packages === 1 ? 'package' : 'packages',
        `${n(generations)} ${generations === 1 ? 'generation' : 'generations'}`,
      ].join(' · '),
    copies: (count: number) => `in ${n(count)} ${count === 1 ? 'copy' : 'copies'}`,
  },
  searches: 'Stored searches',
  batches: 'Batches',
}
/** The same texts in any language. */
export type DeskWords = typeof deskEn
