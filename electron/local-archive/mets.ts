import type { Payload } from './payload.ts'
import { openSlices } from '../common/slices.ts'

const escaped = (text: string) =>
  text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    // XML 1.0 has no way to write these; the package's manifest carries the exact name.
    // eslint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '\uFFFD')
    .replace(/[\t\n\r]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/**
 * A METS document (version 1.12) that lists files with their sizes and checksums; others have their turn
 * while it is written.
 */
export const writeMets = async (about: {
  identifier: string
  label: string
  made: Date
  by: string
  files: Payload[]
}) => {
  const slices = openSlices()
  const listed: string[] = []
  const pointers: string[] = []
  for (const [index, file] of about.files.entries()) {
    listed.push(
      `    <file ID="f${index + 1}" SIZE="${file.bytes}" CHECKSUM="${file.sha256}" ` +
        'CHECKSUMTYPE="SHA-256"><FLocat LOCTYPE="URL" xlink:type="simple" ' +
        `xlink:href="${escaped(encodeURI(file.name))}"/></file>`,
    )
    pointers.push(`<fptr FILEID="f${index + 1}"/>`)
    if (slices.isOver()) await slices.next()
  }
  return `<?xml version="1.0" encoding="UTF-8"?>
<mets xmlns="http://www.loc.gov/METS/" xmlns:xlink="http://www.w3.org/1999/xlink"
  OBJID="${escaped(about.identifier)}" LABEL="${escaped(about.label)}">
  <metsHdr CREATEDATE="${about.made.toISOString()}"><agent ROLE="ARCHIVIST" TYPE="OTHER"
    OTHERTYPE="SOFTWARE"><name>Lectern local archive</name></agent><agent ROLE="CREATOR"
    TYPE="INDIVIDUAL"><name>${escaped(about.by)}</name></agent></metsHdr>
  <fileSec><fileGrp>
${listed.join('\n')}
  </fileGrp></fileSec>
  <structMap><div>${pointers.join('')}</div></structMap>
</mets>
`
}
