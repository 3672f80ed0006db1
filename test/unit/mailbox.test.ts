import { expect, test } from 'vitest'
import { lettersIn } from '../../electron/local-archive/search/letters.ts'
import { contentOf } from '../../renderer/viewer/content.ts'
import { readLetter } from '../../renderer/viewer/formats/letter.ts'
import { Mailbox } from '../../renderer/viewer/formats/mbox.ts'

const postmark = 'From gun@hamn.example Tue May 12 14:45:17 2009'

/** What the viewer lists of a mailbox. */
const listed = async (bytes: Uint8Array<ArrayBuffer>) => {
  const mailbox = new Mailbox(contentOf('låda.mbox', bytes))
  for await (const _ of mailbox.scan());
  return Promise.all(
    mailbox.heads.map(async ({ subject }, index) => {
      const { text } = await readLetter(await mailbox.bytesOf(index, 100_000))
      return [subject, text.trim().slice(-15)]
    }),
  )
}
/** What the search of the carried archive indexes of it, by parts of so many bytes. */
const indexed = async (bytes: Buffer, partBytes: number) => {
  const parts = async function* () {
    for (let from = 0; from < bytes.length; from += partBytes)
      yield await Promise.resolve(bytes.subarray(from, from + partBytes))
  }
  const letters: string[][] = []
  for await (const letter of lettersIn(parts())) {
    const { subject, text } = await readLetter(Buffer.from(letter))
    letters.push([subject, text.trim().slice(-15)])
  }
  return letters
}

const long = 'x'.repeat(20_000)
const first = `Subject: Kranen\n\n${long}Ja.\n`
const second = 'Subject: Bryggan\n\nKajen är färdig.\n'
const mark = '\x01\x01\x01\x01\n'
const last = ['Bryggan', 'ajen är färdig.']
test.each([
  [
    'a line that begins like a postmark',
    `${postmark}\nSubject: Kranen\n\nFrom noon on.\n\nFrom 12:30 on,\nsay all.\n${postmark}\n${second}`,
    [['Kranen', '30 on,\nsay all.'], last],
  ],
  [
    'CR LF, a mangled field and an hour of one figure',
    `From - Tue May 12 4:45:17 2009\n>From x\n${first}\n${postmark}\n${second}`.replaceAll('\n', '\r\n'),
    [['Kranen', `${'x'.repeat(12)}Ja.`], last],
  ],
  [
    'lines of its own about each letter (MMDF)',
    `${mark}${first}${mark}${mark}${postmark}\n${second}${mark}`,
    [['Kranen', `${'x'.repeat(12)}Ja.`], last],
  ],
  [
    'empty lines before the first letter',
    `\n\n${postmark}\n${first}${postmark}\n${second}`,
    [['Kranen', `${'x'.repeat(12)}Ja.`], last],
  ],
  [
    'a letter of nothing but fields',
    `${postmark}\nFrom: gun@hamn.example\n${postmark}\n${second}`,
    [['', ''], last],
  ],
])('of a mailbox with %s the same letters are listed and found', async (_title, text, letters) => {
  const bytes = Buffer.from(text)
  expect(await listed(bytes)).toEqual(letters)
  for (const partBytes of [7, 1_000, 1_025, 10_007, 100_000])
    expect(await indexed(bytes, partBytes)).toEqual(letters)
})

test('a file without a line between letters is one letter, from its first field on', async () => {
  expect(await indexed(Buffer.from(second), 7)).toEqual([last])
})
