import { declaration, element, escaped, hrefOf } from '../../common/xml.ts'
import type { DescribedContainer } from '../reception.ts'

const agent = (attributes: Record<string, string>, name: string, ...notes: string[]): string =>
  name === ''
    ? ''
    : element(
        'agent',
        attributes,
        element('name', {}, escaped(name)),
        ...notes.filter((note) => note !== '').map((note) => element('note', {}, escaped(note))),
      )

const alternative = (type: string, value: string): string =>
  value === '' ? '' : element('altRecordID', { TYPE: type }, escaped(value))

/** The name of a program, and its version, which is the last word where that begins with a digit. */
const nameAndVersion = (software: string): [name: string, version: string] => {
  const [, name = software, version = ''] = /^(.*\S)\s+(v?\d\S*)$/i.exec(software) ?? []
  return [name, version]
}

/**
 * The METS that describes a container in ESSArch's reception. ESSArch reads label, dates, agents, agreement
 * and container from it, and compares size and checksum (parse_submit_description); it validates it by the
 * schema that is named.
 */
export const describeContainer = (container: DescribedContainer): string => {
  const { identifier, label, agreement, type, archivist, organization, person, start, end, file } = container
  const created = container.made.toISOString()
  const [program, version] = nameAndVersion(container.software)
  const header = element(
    'metsHdr',
    { CREATEDATE: created },
    agent({ ROLE: 'ARCHIVIST', TYPE: 'ORGANIZATION' }, archivist),
    agent({ ROLE: 'CREATOR', TYPE: 'ORGANIZATION' }, organization),
    agent({ ROLE: 'CREATOR', TYPE: 'INDIVIDUAL' }, person),
    agent({ ROLE: 'ARCHIVIST', TYPE: 'OTHER', OTHERTYPE: 'SOFTWARE' }, program, version, type),
    alternative('SUBMISSIONAGREEMENT', agreement),
    alternative('STARTDATE', start),
    alternative('ENDDATE', end),
    element('metsDocumentID', {}, escaped(`${identifier}.xml`)),
  )
  const content = { SIZE: file.bytes, CREATED: created, CHECKSUM: file.sha256, CHECKSUMTYPE: 'SHA-256' }
  const place = { LOCTYPE: 'URL', 'xlink:type': 'simple', 'xlink:href': `file:///${hrefOf(file.name)}` }
  const mets = element(
    'mets',
    {
      xmlns: 'http://www.loc.gov/METS/',
      'xmlns:xlink': 'http://www.w3.org/1999/xlink',
      'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
      'xsi:schemaLocation': 'http://www.loc.gov/METS/ http://www.loc.gov/standards/mets/mets.xsd',
      OBJID: identifier,
      LABEL: label,
      TYPE: 'SIP',
      PROFILE: 'http://xml.ra.se/e-arkiv/METS/version12/CommonSpecificationSwedenPackageProfile.xml',
    },
    header,
    element(
      'fileSec',
      {},
      element(
        'fileGrp',
        {},
        element('file', { ID: 'ID1', MIMETYPE: 'application/x-tar', ...content }, element('FLocat', place)),
      ),
    ),
    element(
      'structMap',
      {},
      element(
        'div',
        { LABEL: 'Package' },
        element('div', { LABEL: 'Datafiles' }, element('fptr', { FILEID: 'ID1' })),
      ),
    ),
  )
  return `${declaration}${mets}\n`
}
