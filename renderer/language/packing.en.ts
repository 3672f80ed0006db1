import { number, size } from './formatters.ts'
import { formatWithVersion } from './package-formats.ts'

const files = (count: number) => (count === 1 ? '1 file' : `${number(count, 'en')} files`)
const folders = (count: number) => (count === 1 ? '1 folder' : `${number(count, 'en')} folders`)

/** Packing, checking, batches, receipts: what is said about packages on this computer. */
export const packingEn = {
  upload: 'How it goes to the archive',
  uploads: {
    'one file': 'As one file (tar)',
    'each file': 'Each file by itself',
  },
  uploadHints: {
    'one file':
      'Over the interface, within seconds. Names, empty folders and checksums stay as they are; the ' +
      'archive keeps one file, and shows what is in it.',
    'each file':
      'Over the interface; the archive sees, indexes and draws each file. Empty folders are left out, and ' +
      'each file takes the archive a tenth of a second or more.',
  },
  refusable: (parts: string) =>
    `Sent each by itself, the archive is likely to refuse the whole package for ${parts}. As one file it ` +
    `goes through.`,
  refusableExtension: (extension: string, count: number) =>
    `${files(count)} ${extension === '' ? 'without an extension' : `ending in ${extension}`}`,
  refusableEmpty: (count: number) => `${files(count)} without content`,
  refusableName: (count: number) => `${files(count)} with a blank name or a line break in it`,
  arrange: 'How it is packed',
  packageFormat: 'Package format',
  packageFormatHint:
    'E-ARK SIP is what many European archives take in; FGS Paketstruktur 2 is its version 2.1.0.',
  packageFormatAgreed: 'Proposed by the submission agreement; you may choose another.',
  formatNotTaken:
    'The archive lays out representations itself under this agreement, and takes no E-ARK SIP that is made ' +
    'already. Choose another format or another agreement.',
  eachFolder: 'Each folder that you add is a representation',
  eachFolderHint:
    'Add originals and access copies, for instance, as a folder each. Without it everything is one ' +
    'representation.',
  representations: (count: number) =>
    count === 1
      ? 'There is one so far. Folders within a folder do not count: add originals and access copies as a ' +
        'folder each.'
      : `There are ${number(count, 'en')} representations.`,
  descriptive: 'Descriptive metadata',
  noDescriptive: 'Dublin Core of what the form says.',
  chooseDescriptive: 'Choose a file',
  dropDescriptive: 'Remove the file',
  form: 'Form',
  forms: { folder: 'Folder', tar: 'One file (tar)', zip: 'One file (zip)' },
  noFolder:
    'With an identifier of your choice the package becomes one file. A folder is possible with the ' +
    'identifier that the draft began with: the folder has to be called so.',
  goesWhole:
    'To this archive an E-ARK package goes as one file (tar), which is kept whole, whatever is in it.',
  algorithm: 'Checksums',
  algorithms: { sha256: 'SHA-256', sha512: 'SHA-512' },
  polite: 'Polite',
  politeHint: 'Works half of the time, so that the computer stays free for others.',
  profile: 'BagIt profile',
  noProfile: 'None. A profile says what the receiver wants of a bag.',
  chooseProfile: 'Choose a profile',
  dropProfile: 'Without a profile',
  profileMet: 'The draft meets its profile.',
  /** A format that asks by itself has a name. */
  profileAsks: (count: number, name: string) => {
    const who = name === '' ? 'The profile' : name
    return count === 1
      ? `${who} asks for one thing more`
      : `${who} asks for ${number(count, 'en')} things more`
  },
  rules: {
    OBJID: (detail: string) =>
      `The identifier “${detail}” becomes the name of a folder, which it cannot be: a slash, dots alone or ` +
      'a space at its end are not possible there.',
    element: (detail: string) => `Dublin Core has no element “${detail}”.`,
    submitter: () => 'Who submits it is needed: an organization or a person.',
    required: (label: string) => `“${label}” is needed.`,
    values: (detail: string, field: string) =>
      `“${field}” has none of the values that are allowed: ${detail}`,
    repeatable: (label: string) => `“${label}” may stand only once.`,
    Serialization: (detail: string): string =>
      detail === 'required' ? 'The bag must be one file.' : 'The bag must be a folder.',
    'Accept-Serialization': (detail: string) => `The form must be one of: ${detail}`,
    'Manifests-Required': (detail: string) => `Checksums with ${detail} are needed.`,
    'Manifests-Allowed': (detail: string) => `Checksums must be one of: ${detail}`,
    'Tag-Manifests-Required': (detail: string) => `A tag manifest with ${detail} is needed.`,
    'Tag-Manifests-Allowed': (detail: string) => `Tag manifests must be one of: ${detail}`,
  },
  /** What fields of METS and Dublin Core are called. */
  fields: {
    TYPE: 'Content category',
    CONTENTINFORMATIONTYPE: 'Content information type',
    'ARCHIVIST ORGANIZATION': 'Archival creator',
    SUBMISSIONAGREEMENT: 'Submission agreement in METS',
    REFERENCECODE: 'Reference code',
    'dc:subject': 'Subject',
    'dc:date': 'Dates of the records',
    'dc:language': 'Language',
    'dc:coverage': 'Place and period',
    'dc:rights': 'Rights',
  },
  /** What a package made elsewhere says of itself besides, by the names that METS and Dublin Core have. */
  labels: {
    OBJID: 'Identifier of the package',
    LABEL: 'Name',
    PROFILE: 'Profile',
    CREATEDATE: 'Created',
    RECORDSTATUS: 'Status of the submission',
    OAISPACKAGETYPE: 'Package type (OAIS)',
    'CREATOR SOFTWARE': 'Packed with',
    'CREATOR ORGANIZATION': 'Submitting organization',
    'CREATOR INDIVIDUAL': 'Submitted by',
    'OTHER INDIVIDUAL': 'Other person',
    'ARCHIVIST SOFTWARE': 'Archival creator’s software',
    'PRESERVATION ORGANIZATION': 'Preserving organization',
    'IPOWNER ORGANIZATION': 'Owner',
    PREVIOUSSUBMISSIONAGREEMENT: 'Former submission agreement',
    PREVIOUSREFERENCECODE: 'Former reference code',
    'dc:title': 'Title',
    'dc:creator': 'Creator',
    'dc:description': 'Description',
    'dc:identifier': 'Identifier',
    'dc:publisher': 'Publisher',
    'dc:contributor': 'Contributor',
    'dc:type': 'Type',
    'dc:format': 'Format',
    'dc:source': 'Source',
    'dc:relation': 'Relation',
  },
  /** Where a field that has a vocabulary is left open. */
  notSaid: 'not said',
  allowedValues: (values: string) => `One of: ${values}`,
  pause: 'Pause',
  goOn: 'Go on',
  paused: 'Paused. It goes on where it stopped.',
  counting: 'Counting …',
  skipped: (count: number, isPacked: boolean) => {
    const packed = count === 1 ? 'was not packed' : 'were not packed'
    return `${files(count)} ${isPacked ? packed : 'will not be packed'}`
  },
  why: { link: 'a link, which is never followed', special: 'a socket, pipe or device' },
  emptyFolders: (count: number) => (count === 1 ? '1 empty folder' : `${number(count, 'en')} empty folders`),
  emptyFolderPacked:
    'is packed; a manifest lists files alone, so a program that copies by the manifest leaves it out',
  emptyFolderLeftOut: 'is left out where each file goes by itself',
  misnamed: (count: number) =>
    count === 1
      ? '1 file is not what its extension says'
      : `${files(count)} are not what their extension says`,
  misnamedAs: (format: string) =>
    format === '' ? 'does not begin as such a file does' : `begins as ${format} does`,
  emptyFiles: (count: number) =>
    count === 1 ? '1 file is empty: it has no bytes' : `${files(count)} are empty: they have no bytes`,
  noRoom: (folder: string, needed: number, free: number) =>
    `The package needs ${size(needed, 'en')} in ${folder}, where ${size(free, 'en')} can be used. Make ` +
    `room there before you pack.`,
  recount: 'Count again',
  pointsTo: (target: string) => `points to ${target}`,
  warned: (count: number) => (count === 1 ? '1 unusual name' : `${number(count, 'en')} unusual names`),
  trouble: {
    hidden: 'hidden; it is packed',
    windows: 'Windows would not store this name',
    long: 'too long for some programs of Windows',
    percent: 'has a percent sign, which some programs do not decode in a manifest',
    'line-break': 'has a sign that some programs take for the end of a line in a manifest',
    'case-twin': 'differs from another only in capitals',
    'form-twin': 'differs from another only in the form of its accents',
  },
  first: (shown: number, all: number) => `The first ${number(shown, 'en')} of ${number(all, 'en')}.`,
  formats: 'Formats',
  emptyFile: 'Empty file',
  toolFailed: (tool: string) => `${tool} is on this computer and failed, so the next tool was taken.`,
  formatsBy: {
    extension: 'By how their names end. What each file really is, is determined when it is packed.',
    siegfried: 'Identified by siegfried, with PRONOM’s identifiers.',
    fido: 'Identified by FIDO, with PRONOM’s identifiers.',
    'built-in':
      'Identified by Lectern’s own library, which knows fewer formats than siegfried (sf) or FIDO ' +
      '(fido) and no PRONOM.',
  },
  format: 'Format',
  noExtension: 'without an extension',
  unknownFormat: 'not identified',
  filesHeading: 'Files',
  sizeHeading: 'Size',
  basis: 'By',
  otherEndings: (count: number) =>
    count === 1 ? 'And 1 other ending.' : `And ${number(count, 'en')} other endings.`,
  otherFormats: (count: number) =>
    `And ${number(count, 'en')} other ${count === 1 ? 'format' : 'formats'}; ` +
    'formats.csv in the package lists every file.',
  sipSaid: (f: number, d: number, bytes: number) =>
    `${files(f)}, ${folders(d)}, ${size(bytes, 'en')}: the same before and after`,
  notPacked: (count: number) => `${files(count)} not packed; not-packed.csv in the package says which.`,
  manifest: 'Digest of the manifest',
  duplicates: 'This seems to be there already',
  duplicateBy: {
    content: 'the same content, file by file',
    identifier: 'the archive has this identifier: it will be a new generation',
  },
  duplicateIdentifier: 'the archive has this identifier, and takes each once',
  start: {
    title: 'Ways to begin',
    more: 'More ways to begin',
    table: 'From a table',
    tableHint:
      'CSV or XLSX, one transfer a row. Nothing is packed before you have seen what is wrong with which row.',
    folder: 'From a folder of folders',
    folderHint: 'One transfer for each folder in it.',
    takeOver: 'From another desk',
    takeOverHint: 'A transfer that was handed over on a stick, with its package.',
    checkFolder: 'Check a package in a folder',
    checkFile: 'Check a tar, zip or file',
    checkHint: 'Or drop it on this window. A file is compared with the digests of the package that is open.',
    checksMade: 'Checks that were made',
    batches: 'Batches',
    checks: (count: number) => (count === 1 ? '1 check' : `${number(count, 'en')} checks`),
    rows: (count: number) => (count === 1 ? '1 row' : `${number(count, 'en')} rows`),
  },
  handOver: 'Hand over to another desk',
  handedOver: (when: string) =>
    `Copied for another desk ${when}. It is packed and sent from there, not from here.`,
  isHandedOver: 'Handed over',
  takeBack: 'To go on with it here after all, take it back from where it was copied to.',
  takeBackAct: 'Take it back',
  leftIn: (folder: string) =>
    `Something of it is left in the reception folder ${folder}, where nobody needs it any more. It is ` +
    'removed as soon as that folder can be reached.',
  receipt: 'Receipt',
  asTemplate: 'New one like this',
  when: 'When',
  checks: {
    title: 'Checks',
    filter: 'Filter checks',
    none: 'Nothing was checked yet.',
    teach: 'Drop a package, a folder or a file on this window, or choose one.',
    about:
      'A check reads every file of a package and compares it with the checksums that the package lists. ' +
      'Nothing is changed, and nothing is sent.',
    choose: 'Choose a check to see what was found.',
    unread:
      'What could not be read speaks neither for the package nor against it. See to it that it can be ' +
      'read (permissions, disk, connection), and check it again.',
    states: {
      valid: 'Complete and valid',
      invalid: 'Not valid',
      'not-a-package': 'No package',
      unreadable: 'Not fully readable',
      working: 'Checking …',
      copying: 'Copying …',
      stopped: 'Stopped',
      failed: 'Could not be read',
      match: 'Match',
      mismatch: 'No match',
      file: 'A file',
    },
    stop: 'Stop',
    close: 'Close',
    sendOn: 'Send on',
    sendOnHint: 'A copy becomes a transfer that is ready to be sent. The original stays where it is.',
    sendOnNot: 'It is not sent in this form. Make a tar file of it, and check that file.',
    notSent: {
      kind: 'Packages of this kind are checked only. BagIt bags and E-ARK SIPs can be sent on.',
      invalid: 'To send it on, have it put right where it was made, and check it again.',
    },
    sentOn: 'A copy of it is a transfer of this desk.',
    save: 'Save the findings',
    saved: 'The findings are saved.',
    totals: (errors: number, warnings: number) =>
      `${errors === 1 ? '1 error' : `${number(errors, 'en')} errors`}, ` +
      `${warnings === 1 ? '1 warning' : `${number(warnings, 'en')} warnings`}`,
    kind: (format: string, version: string, form: string) =>
      `${formatWithVersion(format, version)}, ${form.toLocaleLowerCase('en')}`,
    levels: { error: 'Error', warning: 'Warning' },
    line: (line: number) => `line ${number(line, 'en')}`,
    info: 'What the package says of itself',
    findings: 'Findings',
    noFindings:
      'Nothing is wrong with it: every file is there, and every one has the checksum that is listed.',
    more: (count: number) => `And ${number(count, 'en')} more; save the findings to have all that were kept.`,
    digests: 'Digests of the file',
    compared: (label: string) => `Compared with “${label}”`,
    of: {
      package: 'the package',
      'content-mets': 'METS file of the content',
      'package-mets': 'METS file of the package',
    },
    noPackage:
      'No package was open, so there was nothing to compare it with. Open one, then drop the file again.',
    noDigests: 'The archive keeps no digest of this package that could be compared.',
    expected: 'Archive',
    found: 'File',
  },
  /** What happened to a transfer that was sent. */
  history: {
    title: 'History',
    earlier: (count: number) => `… and ${number(count, 'en')} earlier`,
    sources: { desk: 'this desk', archive: 'archive', notification: 'message of the archive' },
    steps: {
      registered: 'The archive has opened a package for it',
      agreed: 'It is placed under the submission agreement',
      locked: 'What describes the package is settled',
      prepared: 'The archive can take the files',
      uploaded: 'The archive has the files',
      created: 'The archive has made the submission package',
      submitted: 'It is submitted',
      received: 'The archive has received it',
      preserved: 'The archive has preserved it',
    },
  },
  receiptPage: {
    title: 'Receipt',
    soFar: 'This transfer is not preserved yet. What stands here is what is known so far.',
    back: 'Back to the transfer',
    may: 'The originals may be deleted.',
    mayNot: 'The originals should be kept.',
    reasons: {
      preserved: (isMet: boolean): string =>
        isMet
          ? 'The archive says that the package is preserved.'
          : 'The archive has not said that the package is preserved.',
      copies: (isMet: boolean, is: number, of: number | null) =>
        of === null
          ? `There ${is === 1 ? 'is 1 copy' : `are ${number(is, 'en')} copies`}; how many there should be ` +
            `is not known.`
          : isMet
            ? `There ${is === 1 ? 'is 1 copy' : `are ${number(is, 'en')} copies`}; the policy requires ` +
              `${number(of, 'en')}.`
            : `There ${is === 1 ? 'is 1 copy' : `are ${number(is, 'en')} copies`} of the ` +
              `${number(of, 'en')} that should be there. Those on one medium count as one, those on a ` +
              `medium that failed not at all.`,
      'all-packed': (isMet: boolean, is: number) =>
        isMet
          ? 'Nothing of the sources was left out.'
          : `${files(is)} of the sources ${is === 1 ? 'was' : 'were'} not packed.`,
      'same-contents': (isMet: boolean): string =>
        isMet
          ? 'The package that was sent holds what was counted before.'
          : 'It is not known that the package holds what was counted before.',
      compared: (isMet: boolean, algorithm: string): string =>
        isMet
          ? `Names, sizes and ${algorithm} checksums that the archive says of its files are those of ` +
            `what was sent.`
          : 'What the archive holds has not been compared with what was sent.',
    },
    archive: 'Archive',
    delivery: 'Delivery',
    agreement: 'Submission agreement',
    sender: 'Submitted by',
    identifier: 'Identifier',
    transferId: 'Id of the transfer',
    packageId: 'Id of the package',
    generation: 'Generation',
    holds: 'Contents',
    holdsSaid: (f: number, d: number, bytes: number) => `${files(f)}, ${folders(d)}, ${size(bytes, 'en')}`,
    manifest: 'Digest of the payload manifest',
    mets: 'Digest of METS.xml',
    packageDigest: 'Digest of the package',
    dates: 'Dates',
    copies: 'Copies',
    medium: 'Medium',
    location: 'Location',
    written: 'Written',
    sources: 'Packed from',
    made: (when: string) => `Made by Lectern, ${when}`,
  },
  batch: {
    title: (name: string) => `Batch: ${name}`,
    columns: 'Columns',
    columnsHint:
      'Which column of the table holds what. Only the source is needed; paths begin at the ' +
      'folder of the table.',
    none: 'not in the table',
    fields: {
      source: 'Source (folder or file)',
      name: 'Name',
      delivery: 'Delivery (name or id)',
      agreement: 'Submission agreement (name or id)',
      identifier: 'Identifier',
      description: 'Description',
      organization: 'Submitting organization',
      address: 'Its address',
      person: 'Submitted by',
      email: 'E-mail',
    },
    template: 'Template',
    noTemplate: 'none',
    templateHint: 'An earlier transfer whose form and packing stand in for what the table does not say.',
    unknownValue: (field: string, value: string) => `${field}: “${value}” is not in its list`,
    packedAs: 'Packed as',
    asTemplate: 'as the template',
    asLast: 'as the last transfer was packed',
    preview: 'First rows of the table',
    rows: 'Rows',
    line: 'Line',
    state: 'State',
    ready: 'ready',
    troubles: {
      'more-cells': 'more cells than there are headings',
      'no-source': 'no source',
      'source-gone': 'the source is not there',
      'source-no-text': 'the bytes of the name are no text (UTF-8)',
      'source-no-file': 'the source is neither a folder nor a file',
      'source-unseen': 'the source cannot be opened',
      'source-twice': 'another row has the same source',
      'no-name': 'no name',
      email: 'the e-mail address is not complete',
      delivery: 'there is no such delivery',
      agreement: 'there is no such submission agreement',
      'identifier-twice': 'another row has the same identifier',
      'too-long': 'a value is too long',
      'not-in-vocabulary': 'a value is not in the list of its field',
    },
    counts: (ready: number, wrong: number, done: number) =>
      `${number(ready, 'en')} ready, ${number(wrong, 'en')} to be put right, ${number(done, 'en')} packed`,
    dryRun: 'Dry run',
    dryRunHint:
      'A dry run counts what each row would pack, and packs nothing. What has no delivery (or, where ' +
      'packages go over the interface, no submission agreement) in the table or the template is packed and ' +
      'waits for one.',
    pack: 'Pack',
    packAndSend: 'Pack and send',
    again: 'Pack those that are left',
    stop: 'Stop',
    save: 'Save a report',
    saved: 'The report is saved.',
    remove: 'Delete the batch',
    removeHint: 'Deleting the batch leaves its transfers.',
    working: {
      counting: (done: number, of: number) => `Counted ${number(done, 'en')} of ${number(of, 'en')}`,
      packing: (done: number, of: number) => `Packed ${number(done, 'en')} of ${number(of, 'en')}`,
    },
    nothingReady: 'No row is ready.',
    counted: (f: number, bytes: number, skipped: number) =>
      `${files(f)}, ${size(bytes, 'en')}${skipped > 0 ? `, ${number(skipped, 'en')} skipped` : ''}`,
    page: (from: number, to: number, all: number) =>
      `${number(from, 'en')}–${number(to, 'en')} of ${number(all, 'en')}`,
    firstPage: 'These are the first rows',
    lastPage: 'These are the last rows',
    previous: 'Previous rows',
    next: 'Next rows',
  },
}
export type PackingWords = typeof packingEn
