import { range } from './tools.ts'

const people = [
  ['Jenny Lindqvist', 'jenny.lindqvist@harbour.example'],
  ['Karl Åberg', 'karl.aberg@harbour.example'],
  ['Harbour Office', 'office@harbour.example'],
  ['Ship Broker Åhlén', 'desk@ahlen.example'],
  ['Water Works', 'pumps@waterworks.example'],
  ['City Architect', 'architect@city.example'],
] as const

/** Subjects with what was written first and what was answered. */
const threads: [subject: string, ...letters: string[]][] = [
  [
    'Crane 3: foundation',
    'The jib stands out of line again. Can we see the drawing of 1934?',
    'It is at the City Archive, volume E1:7. I have ordered it for Thursday.',
    'Thank you. Nobody lifts more than two tons until then.',
  ],
  [
    'Berth for m/s Göta',
    'Göta arrives on Tuesday with rye, 140 tons. Is berth 4 free?',
    'Berth 4 until noon, then berth 6.',
  ],
  [
    'Ice on the northern quay',
    'The thermometer showed minus 14. The hydrants have to be emptied.',
    'Done this morning.',
    'Hydrant 7 leaks. We come on Friday.',
    'Friday is fine.',
  ],
  [
    'Hamnavgifter 2012',
    'Taxan för 2012 är antagen: 2,50 kronor per ton för skutor under 40 ton.',
    'Tack. Gäller det också pråmarna?',
    'Ja, från och med den 1 januari.',
  ],
  [
    'Closing of the northern quay',
    'The council decided yesterday: the quay is closed on 31 January 2014.',
    'What happens to our records?',
    'They go to the City Archive. Boxes come next week, and a disk for the e-mail.',
  ],
  [
    'Nycklar till magasin 2',
    'Vem har nycklarna till magasin 2? Brandförsvaret vill se källaren.',
    'De hänger hos vakten. Skriv upp er.',
  ],
  [
    'Lights of the mole',
    'The lamp at the end of the mole is dark since Sunday.',
    'New bulb, 300 watts. It shines.',
  ],
]

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const two = (number: number) => String(number).padStart(2, '0')

const mailDate = (date: Date) =>
  `${days[date.getUTCDay()]}, ${two(date.getUTCDate())} ${months[date.getUTCMonth()]} ` +
  `${date.getUTCFullYear()} ` +
  `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:00 +0000`

/** A word in a header, as RFC 2047 writes what is not ASCII. */
const encoded = (words: string) =>
  /^[ -~]*$/.test(words) ? words : `=?UTF-8?B?${Buffer.from(words).toString('base64')}?=`
const address = ([name, mail]: readonly [string, string]) =>
  `${/^[\w ]+$/.test(name) ? name : encoded(name)} <${mail}>`

const personAt = (place: number) => people[place % people.length] ?? people[0]

/** A mailbox of the years 2009 to 2014 in the form of RFC 4155, with threads. */
export const mailbox = (): string =>
  range(6)
    .flatMap((year) =>
      threads.flatMap(([subject, ...letters], thread) =>
        letters.map((letter, nth) => {
          const id = `${year}.${thread}.${nth}@harbour.example`
          const date = new Date(Date.UTC(2009 + year, (thread * 2 + year) % 12, 3 + nth, 8 + nth, 12 * nth))
          const from = personAt(thread + nth)
          const to = personAt(thread + (nth === 0 ? 1 : nth - 1))
          const replies =
            nth === 0
              ? ''
              : `In-Reply-To: <${year}.${thread}.${nth - 1}@harbour.example>\nReferences: ` +
                `<${year}.${thread}.0@harbour.example>\n`
          const quoted = nth === 0 ? '' : `\n> ${letters[nth - 1] ?? ''}\n`
          return {
            date,
            text:
              `From ${from[1]} ${days[date.getUTCDay()]} ${months[date.getUTCMonth()]} ` +
              `${two(date.getUTCDate())} ` +
              `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:00 ${date.getUTCFullYear()}\n` +
              `From: ${address(from)}\nTo: ${address(to)}\nDate: ${mailDate(date)}\nMessage-ID: ` +
              `<${id}>\n${replies}` +
              `Subject: ${encoded(`${nth === 0 ? '' : 'Re: '}${subject}`)}\nMIME-Version: 1.0\n` +
              `Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: ` +
              `8bit\n\n${letter}\n\n${from[0]}\n${quoted}\n`,
          }
        }),
      ),
    )
    .sort((a, b) => a.date.getTime() - b.date.getTime())
    .map(({ text }) => text)
    .join('')

const inLines = (bytes: Buffer) => bytes.toString('base64').replace(/(.{76})/g, '$1\r\n')
const crlf = (...lines: string[]) => `${lines.join('\r\n')}\r\n`

/** A message with text in two forms and a photograph attached. */
export const messageWithDrawing = (photograph: Buffer): string =>
  crlf(
    `From: ${address(people[1])}`,
    `To: ${address(people[5])}`,
    `Cc: ${address(people[2])}`,
    'Date: Wed, 02 Mar 2011 09:41:00 +0100',
    'Message-ID: <crane-3@harbour.example>',
    `Subject: ${encoded('Crane 3 från taket 1938')}`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="outer"',
    '',
    '--outer',
    'Content-Type: multipart/alternative; boundary="inner"',
    '',
    '--inner',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    'Here is the photograph of 1938. The crane on the right is number 3.',
    '--inner',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    '<p>Here is the photograph of <b>1938</b>. The crane on the right is number 3.</p>',
    '--inner--',
    '--outer',
    'Content-Type: image/jpeg; name="from the roof.jpg"',
    'Content-Disposition: attachment; filename="from the roof.jpg"',
    'Content-Transfer-Encoding: base64',
    '',
    inLines(photograph),
    '--outer',
    'Content-Type: text/csv; charset=utf-8; name="loads.csv"',
    'Content-Disposition: attachment; filename="loads.csv"',
    '',
    'crane,largest load in tons\r\n1,5\r\n2,5\r\n3,2',
    '--outer--',
  )

/** A letter as web page, which asks for a picture elsewhere: a reader must not fetch it. */
export const newsletter = (): string =>
  crlf(
    `From: ${address(people[2])}`,
    'To: friends@harbour.example',
    'Date: Thu, 21 Jun 2012 16:00:00 +0200',
    'Message-ID: <midsummer-2012@harbour.example>',
    'Subject: Midsummer at the quay',
    'MIME-Version: 1.0',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    '<html><body style=3D"font-family:serif"><h1>Midsummer at the quay</h1>',
    '<img src=3D"https://pictures.harbour.example/maypole.jpg" alt=3D"The maypole">',
    '<p>The office is closed on Friday. The pole is raised at 3 o=E2=80=99clock besid=',
    'e warehouse 2; bring flowers.</p><p><a href=3D"https://harbour.example/">Harbour Office</a></p>',
    '</body></html>',
  )

/** A message in an encoding of its time, and with its head in that of RFC 2047. */
export const pollMessage = (): string =>
  crlf(
    'From: =?ISO-8859-1?Q?Karl_=C5berg?= <karl.aberg@harbour.example>',
    'To: office@harbour.example',
    'Date: Mon, 30 Sep 2013 11:20:00 +0200',
    'Message-ID: <omrostning@harbour.example>',
    'Subject: =?ISO-8859-1?Q?Omr=F6stning_om_namnet_p=E5_kajen?=',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=iso-8859-1',
    'Content-Transfer-Encoding: 8bit',
    '',
    'Hej! Gatunamnsberedningen föreslår «Åkares brygga». Svara före fredag.',
    '',
    'Karl',
  )
