import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Place } from './tools.ts'

const about = (file: string) => ({
  size: statSync(file).size,
  digest: createHash('sha256').update(readFileSync(file)).digest('hex'),
})

/** An element with others in it, or with text. */
const element = (name: string, inside: string | string[], attributes = '') =>
  [`<${[name, attributes].join(' ').trim()}>`, ...[inside].flat(), `</${name}>`].join('')

const identifier = (of: string, type: string, value: string) =>
  element(`${of}Identifier`, [element(`${of}IdentifierType`, type), element(`${of}IdentifierValue`, value)])

const archivist = 'Astrid Åkesson'

const premisEvent = (about: string, id: number, type: string, date: string, note: string) =>
  element('event', [
    identifier('event', 'local', String(id)),
    element('eventType', type),
    element('eventDateTime', date),
    element('eventDetailInformation', element('eventDetail', note)),
    element('eventOutcomeInformation', element('eventOutcome', 'success')),
    identifier('linkingAgent', 'name', archivist),
    identifier('linkingObject', 'path', about),
  ])

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** What happened to a file, in PREMIS 3. */
const premis = (name: string, file: string) => {
  const { size, digest } = about(file)
  const object = element(
    'object',
    [
      identifier('object', 'path', name),
      element('objectCharacteristics', [
        element('fixity', [element('messageDigestAlgorithm', 'SHA-256'), element('messageDigest', digest)]),
        element('size', String(size)),
        element('format', [
          element('formatDesignation', [
            element('formatName', 'JPEG File Interchange Format'),
            element('formatVersion', '1.01'),
          ]),
          element('formatRegistry', [
            element('formatRegistryName', 'PRONOM'),
            element('formatRegistryKey', 'fmt/43'),
          ]),
        ]),
      ]),
    ],
    'xsi:type="file"',
  )
  const space = 'xmlns="http://www.loc.gov/premis/v3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
  const whole = element(
    'premis',
    [
      object,
      premisEvent(name, 1, 'capture', '2019-05-12T10:24:00+02:00', 'Photographed on copy stand 2'),
      premisEvent(name, 2, 'message digest calculation', '2019-05-12T10:31:00+02:00', 'SHA-256'),
      premisEvent(name, 3, 'ingestion end', '2019-05-14T07:02:00+02:00', 'Taken into the archive'),
      element('agent', [
        identifier('agent', 'name', archivist),
        element('agentName', archivist),
        element('agentType', 'person'),
      ]),
    ],
    `${space} version="3.0"`,
  )
  return `${declaration}${whole}\n`
}

const reference = (type: string, name: string) =>
  `<mdRef LOCTYPE="URL" MDTYPE="${type}" xlink:type="simple" xlink:href="${encodeURI(name)}"/>`
const agent = (role: string, type: string, name: string) =>
  element('agent', element('name', name), `ROLE="${role}" TYPE="${type}"`)

/** Files with their sizes and digests, in METS. */
const mets = (files: { name: string; type: string; file: string }[]) => {
  const listed = files.map(({ name, type, file }, index) => {
    const { size, digest } = about(file)
    return element(
      'file',
      `<FLocat LOCTYPE="URL" xlink:type="simple" xlink:href="${encodeURI(name)}"/>`,
      `ID="f${index + 1}" MIMETYPE="${type}" SIZE="${size}" CHECKSUM="${digest}" ` +
        'CHECKSUMTYPE="SHA-256" ADMID="premis1"',
    )
  })
  const pointers = files.map((_, index) => `<fptr FILEID="f${index + 1}"/>`)
  const whole = element(
    'mets',
    [
      element(
        'metsHdr',
        [agent('ARCHIVIST', 'ORGANIZATION', 'Byggnadsnämnden'), agent('CREATOR', 'INDIVIDUAL', archivist)],
        'CREATEDATE="2026-01-15T09:00:00+01:00"',
      ),
      element('dmdSec', reference('DC', 'dublin core.xml'), 'ID="dmd1"'),
      element('amdSec', element('digiprovMD', reference('PREMIS', 'premis.xml'), 'ID="premis1"')),
      element('fileSec', element('fileGrp', listed, 'USE="submission"')),
      element('structMap', element('div', pointers, 'LABEL="Kv. Oxen 4" DMDID="dmd1"'), 'TYPE="logical"'),
    ],
    'xmlns="http://www.loc.gov/METS/" xmlns:xlink="http://www.w3.org/1999/xlink" OBJID="SE/STA/3001" ' +
      'LABEL="Kv. Oxen 4, ritningar 1938–1951" TYPE="Drawings"',
  )
  return `${declaration}${whole}\n`
}

/** Texts that were written by a person stand beside this file as they are. */
const writtenFolder = path.join(import.meta.dirname, 'written')

/** Finding aids and metadata in the standards of archives, about the house that is preserved beside them. */
export const makeDescriptions = (place: Place, houseFile: (name: string) => string) => {
  for (const name of readdirSync(writtenFolder))
    writeFileSync(place(`1/${name}`), readFileSync(path.join(writtenFolder, name)))
  const photograph = houseFile('1/fotografier/från taket, 1938.jpg')
  const copy = 'fotografier/från taket, 1938.jpg'
  writeFileSync(place(`1/${copy}`), readFileSync(photograph))
  writeFileSync(place('1/premis.xml'), premis(copy, photograph))
  writeFileSync(
    place('1/mets.xml'),
    mets([
      { name: copy, type: 'image/jpeg', file: photograph },
      { name: 'ead.xml', type: 'text/xml', file: place('1/ead.xml') },
    ]),
  )
}
