import { expect, test } from 'vitest'
import { separatorOf } from '../../electron/contract/mailbox.ts'
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
    'a byte order mark, and one where another file was put after it',
    `\ufeff\n${postmark}\n${first}\ufeff${postmark}\n${second}`,
    [['Kranen', `${'x'.repeat(12)}Ja.`], last],
  ],
  [
    'lines of its own about each letter, after a byte order mark',
    `\ufeff${mark}${first}${mark}${mark}${second}${mark}`,
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

test('no letter is listed twice, wherever what is read at once ends', async () => {
  const letter = `Subject: Kranen\n\n${'x'.repeat(900)}\n${mark}${mark}`
  for (let length = 0; length < 900; length += 3) {
    const box = `${mark}Subject: ${'y'.repeat(length)}\n\n${mark}${mark}${letter.repeat(300)}`
    const mailbox = new Mailbox(contentOf('låda.mmdf', Buffer.from(box)))
    for await (const _ of mailbox.scan());
    expect([length, mailbox.heads.length]).toEqual([length, 301])
  }
})

test('what stands later in a file makes no mailbox of it', async () => {
  const head = 'Subject: Kranen\n\n'
  // Of the first 6 000 bytes all but the last 1 024 are done with, up to the line feed.
  const later = `${postmark}\nSubject: Kajen\n\n${'Ja.\n'.repeat(500)}${second}`
  const letter = `${head}${'x'.repeat(4_976 - head.length)}\n${later}`
  for (const partBytes of [100, 2_000, 6_000])
    expect(await indexed(Buffer.from(letter), partBytes)).toEqual([['Kranen', last[1]]])
})

test('lines that nearly are postmarks are gone through once', () => {
  const separator = separatorOf(`${postmark}\n${second}`) ?? /never/g
  const text = `\n${`From ${'12:34 '.repeat(120)}\n`.repeat(2_000)}`
  expect([...text.matchAll(separator)]).toEqual([])
  /** What going through the text so often takes of the processor, whoever else wants it. */
  const timed = (expression: RegExp, times: number) => {
    const begun = process.threadCpuUsage()
    for (let time = 0; time < times; time += 1) for (const _found of text.matchAll(expression));
    return process.threadCpuUsage(begun).user
  }
  // Each line is looked at a few times, and not once for each time of day in it.
  expect(timed(separator, 10)).toBeLessThan(timed(/\nFrom [^\r\n]*/g, 500))
})

test('a file without a line between letters is one letter, from its first field on', async () => {
  expect(await indexed(Buffer.from(second), 7)).toEqual([last])
})
