import type { RuleId } from '../../electron/packaging/e-ark/check/rules.ts'
import { contentOf, eArkFiles, type PackageFiles } from './e-ark.ts'

/** Replaces a part of a text that must be there, once. */
const replaced = (text: string, part: string | RegExp, by: string): string => {
  const changed = text.replace(part, () => by)
  if (changed === text) throw new Error(`Nothing to change: ${part}`)
  return changed
}
const root = (part: string | RegExp, by: string) => () =>
  eArkFiles({ root: (mets) => replaced(mets, part, by) })
const representation = (part: string | RegExp, by: string) => () =>
  eArkFiles({ representation: (mets) => replaced(mets, part, by) })
/** Changes what stands behind a text, and behind another that follows it. */
const within =
  (behind: string, part: string, by: string, next = '') =>
  () =>
    eArkFiles({
      root: (mets) => {
        const start = mets.indexOf(next, mets.indexOf(behind))
        return mets.slice(0, start) + replaced(mets.slice(start), part, by)
      },
    })
const without = (name: RegExp) => () =>
  eArkFiles({
    files: (all) => Object.fromEntries(Object.entries(all).filter(([file]) => !name.test(file))),
  })
const besides = (more: PackageFiles) => () => eArkFiles({ files: (all) => ({ ...all, ...more }) })

/** The rules of the mdRef of a section, in the order of CSIP. */
const referenceRules = (section: string, first: number): [RuleId, () => PackageFiles][] =>
  (
    [
      ['LOCTYPE="URL"', 'LOCTYPE="ARK"'],
      ['xlink:type="simple"', ''],
      ['xlink:href="', 'xlink:title="'],
      ['MDTYPE="', 'MDTYPE="MY'],
      ['MIMETYPE="text/xml"', 'MIMETYPE="text"'],
      [' SIZE="', ' SIZE="x'],
      [' CREATED="2026', ' CREATED="Tuesday'],
      [' CHECKSUM="', ' CHECKSUM="0'],
      ['CHECKSUMTYPE="SHA-256"', 'CHECKSUMTYPE="SHA256"'],
    ] as const
  ).map(([part, by], index) => [`CSIP${first + index}` as RuleId, within(`<${section} `, part, by, '<mdRef')])

const software = 'ROLE="CREATOR" TYPE="OTHER" OTHERTYPE="SOFTWARE"'
const version = '<note csip:NOTETYPE="SOFTWARE VERSION">1.0</note>'
const submitter = '<agent ROLE="CREATOR" TYPE="ORGANIZATION"><name>Town office</name>'
const submitting = /<agent ROLE="CREATOR" TYPE="ORGANIZATION">[\s\S]*?<\/agent>/
const agreement = '<altRecordID TYPE="SUBMISSIONAGREEMENT">SA-7</altRecordID>'
const code = '<altRecordID TYPE="REFERENCECODE">R-9</altRecordID>'

/** Packages of E-ARK, each with the rule that it breaks. */
export const brokenPackages: [RuleId, () => PackageFiles][] = [
  ['CSIPSTR2', root('OBJID="package-1"', 'OBJID="package-2"')],
  ['CSIPSTR4', without(/^METS\.xml$/)],
  ['CSIPSTR5', without(/^metadata\//)],
  ['CSIPSTR6', besides({ 'preservation/premis.xml': '<premis/>' })],
  ['CSIPSTR7', without(/^metadata\/descriptive\//)],
  ['CSIPSTR9', without(/^representations\//)],
  ['CSIPSTR10', besides({ 'representations/a.txt': 'a' })],
  ['CSIPSTR11', without(/rep1\/data\//)],
  ['CSIPSTR12', without(/rep1\/METS\.xml/)],
  ['CSIPSTR13', without(/rep1\/metadata\//)],
  ['CSIPSTR15', without(/^schemas\//)],
  ['CSIPSTR16', without(/^documentation\//)],
  ['CSIP1', root('OBJID="package-1"', '')],
  ['CSIP1', representation('OBJID="rep1"', 'OBJID="rep2"')],
  ['CSIP2', root('TYPE="Mixed"', 'TYPE="Everything"')],
  ['CSIP3', root('TYPE="Mixed"', 'TYPE="Other"')],
  ['CSIP4', root('csip:CONTENTINFORMATIONTYPE="MIXED"', 'csip:CONTENTINFORMATIONTYPE="ALL"')],
  ['CSIP5', root('csip:CONTENTINFORMATIONTYPE="MIXED"', 'csip:CONTENTINFORMATIONTYPE="OTHER"')],
  ['CSIP6', representation(/PROFILE="[^"]*"/, '')],
  ['CSIP117', representation(/<metsHdr [^>]*><\/metsHdr>/, '')],
  ['CSIP7', root('CREATEDATE="2026-03-01T09:00:00Z"', 'CREATEDATE="2026-03-01"')],
  ['CSIP9', root('csip:OAISPACKAGETYPE="SIP"', 'csip:OAISPACKAGETYPE="BAG"')],
  ['CSIP10', root(/<agent ROLE="CREATOR" TYPE="OTHER"[\s\S]*?<\/agent>/, '')],
  ['CSIP11', root(software, software.replace('CREATOR', 'EDITOR'))],
  ['CSIP12', root(software, software.replace('"OTHER"', '"ORGANIZATION"'))],
  ['CSIP13', root(software, software.replace('SOFTWARE', 'MACHINE'))],
  ['CSIP14', root('<name>Maker</name>', '<name> </name>')],
  ['CSIP15', root(version, '')],
  ['CSIP15', root(version, version + version)],
  ['CSIP16', root('csip:NOTETYPE="SOFTWARE VERSION"', '')],
  ['CSIP17', root(/<dmdSec[\s\S]*<\/dmdSec>/, '')],
  ['CSIP18', root('<dmdSec ID="dmd"', '<dmdSec')],
  ['CSIP19', root('<dmdSec ID="dmd" CREATED="2026-', '<dmdSec ID="dmd" CREATED="2026-13-')],
  ['CSIP20', within('<dmdSec', 'STATUS="CURRENT"', 'STATUS="OLD"')],
  [
    'CSIP21',
    root(/(?<=<dmdSec [^>]*>)<mdRef [^>]*>/, '<mdWrap MDTYPE="DC"><xmlData><dc/></xmlData></mdWrap>'),
  ],
  ...referenceRules('dmdSec', 22),
  ['CSIP31', root(/<amdSec>[\s\S]*<\/amdSec>/, '')],
  ['CSIP32', root(/<digiprovMD[\s\S]*<\/digiprovMD>/, '')],
  ['CSIP33', root('<digiprovMD ID="premis"', '<digiprovMD ID="1"')],
  ['CSIP34', within('<digiprovMD', ' STATUS="CURRENT"', '')],
  ['CSIP35', root(/(?<=<digiprovMD [^>]*>)<mdRef [^>]*>/, '')],
  ...referenceRules('digiprovMD', 36),
  ['CSIP46', root('<rightsMD ID="rights"', '<rightsMD ID="dmd"')],
  ['CSIP47', within('<rightsMD', ' STATUS="CURRENT"', '')],
  ['CSIP48', root(/(?<=<rightsMD [^>]*>)<mdRef [^>]*>/, '')],
  ...referenceRules('rightsMD', 49),
  ['CSIP58', representation(/<fileSec[\s\S]*<\/fileSec>/, '')],
  ['CSIP59', root('<fileSec ID="files">', '<fileSec>')],
  ['CSIP60', root('USE="Documentation"', 'USE="Schemas"')],
  ['CSIP113', root('USE="Schemas"', 'USE="Documentation"')],
  ['CSIP114', root('USE="Representations/rep1"', 'USE="Documentation"')],
  ['CSIP61', root('USE="Schemas"', 'USE="Schemas" ADMID="nothing"')],
  ['CSIP62', root('rep1" csip:CONTENTINFORMATIONTYPE="MIXED"', 'rep1"')],
  ['CSIP63', root('rep1" csip:CONTENTINFORMATIONTYPE="MIXED"', 'rep1" csip:CONTENTINFORMATIONTYPE="OTHER"')],
  ['CSIP64', representation('USE="Data"', '')],
  ['CSIP65', root('<fileGrp ID="schemas"', '<fileGrp')],
  ['CSIP66', representation('<fileSec ID="files">', '<fileSec ID="files"><fileGrp ID="none" USE="None"/>')],
  ['CSIP67', representation('<file ID="file-0"', '<file ID="file-1"')],
  ['CSIP68', within('<fileSec', 'MIMETYPE="text/plain"', '')],
  ['CSIP69', within('<fileSec', ' SIZE="', ' SIZE="-')],
  ['CSIP70', within('<fileSec', ' CREATED="', ' CREATED="x')],
  ['CSIP71', within('<fileSec', ' CHECKSUM="', ' CHECKSUM="z')],
  ['CSIP72', within('<fileSec', ' CHECKSUMTYPE="SHA-256"', ' CHECKSUMTYPE="sum"')],
  ['CSIP74', representation('<file ID="file-0"', '<file ID="file-0" ADMID="premis nothing"')],
  ['CSIP75', representation('<file ID="file-0"', '<file ID="file-0" DMDID="premis"')],
  ['CSIP76', representation(/<FLocat [^>]*>/, '')],
  ['CSIP77', within('<fileSec', 'LOCTYPE="URL"', 'LOCTYPE="HANDLE"')],
  ['CSIP78', within('<fileSec', 'xlink:type="simple"', 'xlink:type="extended"')],
  ['CSIP79', within('<fileSec', 'xlink:href="', 'xlink:title="')],
  ['CSIP80', representation(/<structMap[\s\S]*<\/structMap>/, '')],
  ['CSIP81', root('TYPE="PHYSICAL"', 'TYPE="logical"')],
  ['CSIP82', root('LABEL="CSIP"', 'LABEL="Mine"')],
  ['CSIP83', root('<structMap ID="map"', '<structMap')],
  ['CSIP84', representation('</div></structMap>', '</div><div ID="more" LABEL="rep1"/></structMap>')],
  ['CSIP85', root('<div ID="top"', '<div')],
  ['CSIP88', root(/<div ID="d-metadata"[^>]*>/, '')],
  ['CSIP89', root('ID="d-metadata"', '')],
  ['CSIP90', root('LABEL="Metadata"', 'LABEL="metadata"')],
  ['CSIP91', root('ADMID="rights premis"', 'ADMID="premis"')],
  ['CSIP92', root('DMDID="dmd"', 'DMDID="dmd nothing"')],
  ['CSIP93', root(/<div ID="d-documentation"[\s\S]*?<\/div>/, '')],
  ['CSIP94', root('ID="d-documentation"', 'ID="two words"')],
  ['CSIP95', root('LABEL="Documentation"', 'LABEL="documentation"')],
  ['CSIP96', root('<fptr FILEID="documentation"/>', '')],
  ['CSIP116', root('<fptr FILEID="documentation"/>', '<fptr FILEID="schemas"/>')],
  ['CSIP97', root(/<div ID="d-schemas"[\s\S]*?<\/div>/, '')],
  ['CSIP98', root('ID="d-schemas"', '')],
  ['CSIP99', root('LABEL="Schemas"', 'LABEL="schemas"')],
  ['CSIP100', root('<fptr FILEID="schemas"/>', '')],
  ['CSIP118', root('<fptr FILEID="schemas"/>', '<fptr FILEID="xsd"/>')],
  ['CSIP101', () => alone('')],
  ['CSIP102', () => alone('<div LABEL="Representations"><fptr FILEID="rep"/></div>')],
  ['CSIP103', () => alone('<div ID="d-rep" LABEL="representations"><fptr FILEID="rep"/></div>')],
  ['CSIP104', () => alone('<div ID="d-rep" LABEL="Representations"/>')],
  ['CSIP119', () => alone('<div ID="d-rep" LABEL="Representations"><fptr FILEID="schemas"/></div>')],
  ['CSIP105', root(/<div ID="d-rep"[\s\S]*?<\/div>/, '')],
  ['CSIP106', root('<div ID="d-rep"', '<div')],
  ['CSIP107', root('LABEL="Representations/rep1"', 'LABEL="Representations/rep2"')],
  ['CSIP107', root('LABEL="Representations/rep1"', 'LABEL="rep1"')],
  ['CSIP108', root('xlink:title="rep"', 'xlink:title="rep-mets"')],
  ['CSIP109', root(/<mptr[^>]*>/, '')],
  ['CSIP110', within('<mptr', 'xlink:href="', 'xlink:role="')],
  ['CSIP111', within('<mptr', 'xlink:type="simple"', '')],
  ['CSIP112', within('<mptr', 'LOCTYPE="URL"', '')],
  ['SIP2', root(/PROFILE="[^"]*"/, 'PROFILE="https://example.org/profile.xml"')],
  ['SIP3', root('RECORDSTATUS="NEW"', 'RECORDSTATUS="FRESH"')],
  ['SIP4', root('csip:OAISPACKAGETYPE="SIP"', 'csip:OAISPACKAGETYPE="AIP"')],
  ['SIP5', root(agreement, agreement + agreement)],
  ['SIP7', root(code, code + code)],
  ['SIP9', root(agreement, `<agent ROLE="ARCHIVIST" TYPE="ORGANIZATION"><name>B</name></agent>${agreement}`)],
  ['SIP11', root('ROLE="ARCHIVIST" TYPE="ORGANIZATION"', 'ROLE="ARCHIVIST" TYPE="OTHER"')],
  ['SIP12', root('<name>Harbour board</name>', '<name/>')],
  ['SIP14', within('ARCHIVIST', 'IDENTIFICATIONCODE', 'CODE')],
  ['SIP15', root(submitting, '')],
  ['SIP15', root(agreement, `<agent ROLE="CREATOR" TYPE="ORGANIZATION"><name>B</name></agent>${agreement}`)],
  ['SIP16', root(submitting, '<agent ROLE="DISSEMINATOR" TYPE="ORGANIZATION"><name>B</name></agent>')],
  ['SIP17', root(submitting, '<agent ROLE="CREATOR" TYPE="OTHER"><name>B</name></agent>')],
  ['SIP18', root(submitter, submitter.replace('Town office', ''))],
  ['SIP20', within('Town office', ' csip:NOTETYPE="IDENTIFICATIONCODE"', '')],
  ['SIP24', root(agreement, `<agent ROLE="CREATOR" TYPE="INDIVIDUAL"><name/></agent>${agreement}`)],
  ['SIP28', root('ROLE="PRESERVATION" TYPE="ORGANIZATION"', 'ROLE="PRESERVATION" TYPE="INDIVIDUAL"')],
  ['SIP29', root('<name>City archive</name>', '<name/>')],
  ['SIP31', within('City archive', 'IDENTIFICATIONCODE', 'CODE')],
]

/** A package whose own METS describes the files of its representation, with such a division for them. */
const alone = (division: string): PackageFiles =>
  eArkFiles({
    root: (mets) =>
      replaced(mets, /<div ID="d-rep"[\s\S]*?<\/div>/, division).replace(
        /<file ID="rep-mets"[\s\S]*?<\/file>/,
        `<file ID="a" ${contentOf('a')}><FLocat LOCTYPE="URL" xlink:type="simple" ` +
          'xlink:href="representations/rep1/data/a.txt"/></file>',
      ),
    files: (all) =>
      Object.fromEntries(
        Object.entries(all).filter(
          ([name]) => !name.startsWith('representations/rep1/') || name === 'representations/rep1/data/a.txt',
        ),
      ),
  })
