import { number } from './formatters.ts'
import type { DeskWords } from './desk.en.ts'

const n = (count: number) => number(count, 'sv')

export const deskSv: DeskWords = {
  unread: 'Nytt sedan sist',
  seeAll: 'Markera alla som lästa',
  isUnread: 'Oläst',
  unreadCount: (count) => (count === 0 ? 'alla lästa' : `${n(count)} ${count === 1 ? 'oläst' : 'olästa'}`),
  openedLast: 'Senast öppnat',
  packedUnsent: (lacks) =>
    lacks === null
      ? 'Den är packad och ligger på den här datorn. Ingen har skickat den än.'
      : `Den är packad. Välj ${
          lacks === 'delivery' ? 'leverans' : 'leveransöverenskommelse'
        } innan den kan skickas.`,
  send: 'Se vad som återstår',
  lookAtTransfer: 'Se vad som kan göras',
  inOutbox: 'Avgör nedan',
  stoppedThere: (step) => `Arkivet kom inte vidare med det${step === '' ? '' : ` (${step})`}.`,
  stopped: (count) => `Arkivet kom inte vidare med ${n(count)} paket`,
  lookAtPackages: 'Se på dem',
  first: {
    title: 'En första överföring i tre steg',
    steps: [
      { what: 'Säg vad det är.', how: 'Ett namn, vems handlingar det är och vilken leverans de hör till.' },
      {
        what: 'Välj vad som ska lämnas över.',
        how: 'En mapp, filer, eller ett paket från annat håll: inget flyttas.',
      },
      { what: 'Packa och skicka.', how: 'Även utan nät: den går iväg av sig själv senare, exakt en gång.' },
    ],
    lookRound: 'Eller se dig om först:',
    looks: {
      packages: 'vad som finns',
      storage: 'var kopiorna ligger',
      description: 'hur det är beskrivet',
    },
    begin: 'Börja en överföring',
    close: 'Visa inte detta igen',
  },
  signInEnds: (time) => `Inloggningen går ut ${time}. Förnya den när det passar.`,
  renew: 'Förnya',
  notFetched: (name) => `”${name}” hämtades inte`,
  notAsPreserved: (name) => `”${name}” sparades, och är inte det som bevarades`,
  underWay: {
    title: 'Pågår',
    packing: (name) => `Packar ”${name}”`,
    sending: (name) => `Skickar ”${name}”`,
    fetching: (name) => `Hämtar ”${name}”`,
    checking: (name) => `Prövar ”${name}”`,
    batch: {
      packing: (name) => `Packar omgången ”${name}”`,
      counting: (name) => `Räknar omgången ”${name}”`,
    },
    dip: (name) => `Gör utlämnandepaketet ”${name}”`,
    fetched: (done, all) => `${n(done)} av ${n(all)} ur lagringen`,
    pause: 'Pausa',
    goOn: 'Fortsätt',
    stop: 'Stoppa',
    paused: 'Pausat',
    stopped: 'Stoppat',
  },
  burst: (count, first) => `${n(count)} fel, det första: ${first}`,
  earlier: 'Tidigare meddelanden',
  allRead: 'Du har läst allt som arkivet berättat.',
  holdings: {
    title: 'Bestånd',
    packages: (_packages, generations) =>
      `paket · ${n(generations)} ${generations === 1 ? 'generation' : 'generationer'}`,
    copies: (count) => `i ${n(count)} ${count === 1 ? 'kopia' : 'kopior'}`,
  },
  searches: 'Sparade sökningar',
  batches: 'Omgångar',
}
