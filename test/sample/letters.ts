import { readFileSync, writeFileSync } from 'node:fs'
import { mailbox, messageWithDrawing, newsletter, pollMessage } from './mail.ts'
import { consultation, harbourLetter, minutes } from './pages.ts'
import { run, type Place, type Studio } from './tools.ts'
import { outlookMessage } from './outlook.ts'
import { macRoman } from './encodings.ts'

/** Saves a page in a format of LibreOffice. */
const office = (studio: Studio, html: string, filter: string, target: string) => {
  const extension = filter.split(':')[0] ?? ''
  writeFileSync(studio.spare('page.html'), html)
  run(
    'soffice',
    '--headless',
    `-env:UserInstallation=file://${studio.spare('office')}`,
    '--infilter=HTML (StarWriter)',
    '--convert-to',
    filter,
    '--outdir',
    studio.spare('saved'),
    studio.spare('page.html'),
  )
  writeFileSync(target, readFileSync(studio.spare(`saved/page.${extension}`)))
}

const letterText = (place: string) => `Till Hamnkontoret, ${place}, den 3 oktober 1938

Skeppet «Göta» ligger sedan i går vid Norra kajen med 140 ton råg. Lossningen dröjer, emedan kran nr 3
är avstängd. Vi ber att få lossa för hand och att hamnavgiften för två dygn efterskänkes.

Åhlén & Söner, speditörer
`

/** Latin signs of the code page that DOS had in Western Europe. */
const codePage850: Record<string, number> = {
  å: 0x86,
  ä: 0x84,
  ö: 0x94,
  Å: 0x8f,
  Ä: 0x8e,
  Ö: 0x99,
  é: 0x82,
  '«': 0xae,
  '»': 0xaf,
}
const inCodePage850 = (text: string) =>
  Buffer.from(Array.from(text, (sign) => codePage850[sign] ?? sign.charCodeAt(0)))

/** Letters of the harbour office in the encodings of seventy years, and in three formats of text programs. */
export const makeLetters = (studio: Studio, place: Place) => {
  const letter = letterText('Norrköping')
  const crlf = letter.replaceAll('\n', '\r\n')
  writeFileSync(place('1/brev/1938-10-03, Åhlén (UTF-8).txt'), letter)
  writeFileSync(place('1/brev/1938-10-03, Åhlén (UTF-16).txt'), `\ufeff${crlf}`, 'utf16le')
  writeFileSync(
    place('1/brev/1938-10-03, Åhlén (Windows-1252).txt'),
    Buffer.from(
      `${crlf}\r\nAvskrift, 12 sidor à 50 öre = 6 \u0080.\r\n\u0093Göta\u0094 gick den 5 oktober.\r\n`,
      'latin1',
    ),
  )
  writeFileSync(place('1/brev/1938-10-03, Åhlén (ISO-8859-1).txt'), Buffer.from(letter, 'latin1'))
  writeFileSync(place('1/brev/1938-10-03, Åhlén (CP850).txt'), inCodePage850(crlf))
  writeFileSync(place('1/brev/1938-10-03, Åhlén (MacRoman).txt'), macRoman(letter.replaceAll('\n', '\r')))
  office(studio, harbourLetter(), 'rtf:Rich Text Format', place('1/brev/1938-10-14, crane no. 3.rtf'))
  office(studio, harbourLetter(), 'docx:MS Word 2007 XML', place('1/brev/1938-10-14, crane no. 3.docx'))
  office(studio, minutes(), 'odt:writer8', place('1/protokoll/hamnstyrelsen 1938.odt'))
  writeFileSync(
    place('1/läs mig.md'),
    '# Hamnkontorets brev\n\nBreven skrevs av **1998** från original i volymerna E1:3–E1:9.\n\n' +
      '| mapp | innehåll | antal |\n| --- | --- | ---: |\n| `brev` | inkomna och utgångna brev | 8 |\n' +
      '| `protokoll` | hamnstyrelsens protokoll | 1 |\n\n- [x] rättade mot originalen\n- [ ] ' +
      'register över namn\n',
  )
}

/** What a neighbour's answer looked like as a document, for the house. */
export const makeConsultation = (studio: Studio, place: Place) =>
  office(studio, consultation(), 'docx:MS Word 2007 XML', place('1/handlingar/remissvar.docx'))

/** E-mail: single messages, with what was attached, and a whole mailbox. */
export const makeMail = (place: Place, photograph: string) => {
  writeFileSync(place('1/harbour-office.mbox'), mailbox())
  writeFileSync(
    place('1/messages/2011-03-02, drawing of crane 3.eml'),
    messageWithDrawing(readFileSync(photograph)),
  )
  writeFileSync(place('1/messages/2012-06-21, newsletter.eml'), newsletter())
  writeFileSync(place('1/messages/2013-09-30, poll (ISO-8859-1).eml'), Buffer.from(pollMessage(), 'latin1'))
  writeFileSync(place('1/messages/2014-01-15, closing of the quay.msg'), outlookMessage())
}
