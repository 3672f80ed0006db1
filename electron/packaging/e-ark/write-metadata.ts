import { checksumBytes, type WritableAlgorithm } from '../digests.ts'
import type { AddedFile, AddFile } from '../pack/added-files.ts'
import type { CopiedFile, CopiedPayload } from '../pack/copied-payload.ts'
import { dublinCore, metadataTypeOf } from './dublin-core.ts'
import {
  descriptiveFolder,
  documentationFolder,
  metsFile,
  preservationFile,
  representationsFolder,
  schemasFolder,
} from './layout.ts'
import { mediaTypeOf } from './media-types.ts'
import { metsOf, type FileGroup, type MetsFile } from './mets.ts'
import { premisEvents, premisObjects } from './premis.ts'
import { schemaLocationOf, type SchemaLocation } from './schemas.ts'

/** How METS and PREMIS call the algorithms. */
const algorithmNames: Record<WritableAlgorithm, string> = { sha256: 'SHA-256', sha512: 'SHA-512' }

/** The years that times of METS have four digits in; a file of another one has the nearest of them. */
const [firstTime, lastTime] = [Date.parse('0001-01-01T00:00:00Z'), Date.UTC(9999, 11, 31)]
const timeOf = (modifiedMs: number) =>
  new Date(Math.min(Math.max(modifiedMs, firstTime), lastTime)).toISOString()

const representationFolderOf = (name: string) => name.split('/', 2).join('/')

/** A representation: its folder, how many files it has, and how they are read. */
interface Representation {
  folder: string
  count: number
  files: () => Iterable<CopiedFile>
}

/** The representations that the sources lie in, in their order; sources of one follow each other. */
const representationsOf = ({
  plan: { spec, counts },
  files,
  filesByRoots,
}: CopiedPayload): Representation[] => {
  const firsts = new Map<string, number>()
  for (const [index, { name }] of spec.roots.entries()) {
    const folder = representationFolderOf(name)
    if (!firsts.has(folder)) firsts.set(folder, index)
  }
  const folders = [...firsts.keys()]
  const [alone] = folders
  // There may be a million files: those of one representation need no second walk.
  if (folders.length === 1 && alone !== undefined) return [{ folder: alone, count: counts.files, files }]
  const parts = filesByRoots([...firsts.values()])
  return folders.map((folder, index) => ({ folder, count: 0, files: () => [], ...parts[index] }))
}

/** What a file that was added is in METS, by its path from the folder of the METS. */
const metsFileOf = ({ name, bytes, digests }: AddedFile, folder: string, created: string): MetsFile => ({
  path: folder === '' ? name : name.slice(folder.length + 1),
  mediaType: mediaTypeOf(name, ''),
  bytes,
  created,
  digest: digests[0] ?? '',
})

interface Writing {
  payload: CopiedPayload
  add: AddFile
  algorithm: WritableAlgorithm
  created: string
  schemaLocation: SchemaLocation
}

/** Writes PREMIS and METS of a representation. @returns its METS */
const writeRepresentation = (writing: Writing, { folder, count, files }: Representation): AddedFile => {
  const { payload, add, algorithm, created, schemaLocation } = writing
  const bytes = checksumBytes[algorithm]
  const name = folder.slice(representationsFolder.length + 1)
  const below = (file: CopiedFile) => file.name.slice(folder.length + 1)
  const premis = add(
    `${folder}/${preservationFile}`,
    premisObjects(files(), below, { algorithm: algorithmNames[algorithm], bytes }, folder, schemaLocation),
  )
  const data = function* (): Generator<MetsFile> {
    for (const file of files())
      yield {
        path: below(file),
        mediaType: mediaTypeOf(file.name, file.identified?.mime ?? ''),
        bytes: file.bytes,
        created: timeOf(file.modifiedMs),
        digest: file.digests.toString('hex', 0, bytes),
      }
  }
  const isEmpty = count === 0
  return add(
    `${folder}/${metsFile}`,
    metsOf({
      folder,
      schemaLocation,
      objectId: name,
      label: name,
      labels: payload.labels,
      isRoot: false,
      checksumType: algorithmNames[algorithm],
      descriptive: null,
      preservation: metsFileOf(premis, folder, created),
      groups: isEmpty ? [] : [{ id: 'data', use: 'Data', files: data() }],
      divisions: [
        { label: 'Metadata', administrative: 'preservation' },
        isEmpty ? { label: 'Data' } : { label: 'Data', group: 'data' },
      ],
    }),
  )
}

/** Writes the descriptive metadata: the file that a person gave, else Dublin Core of the record. */
const writeDescriptive = ({ payload, add, created, schemaLocation }: Writing) => {
  const { descriptive, labels } = payload
  const { name, text } = descriptive ?? {
    name: 'dc.xml',
    text: dublinCore(labels, descriptiveFolder, schemaLocation),
  }
  const type = metadataTypeOf(text) ?? { MDTYPE: 'OTHER', OTHERMDTYPE: 'XML' }
  return { file: metsFileOf(add(`${descriptiveFolder}/${name}`, [text]), '', created), ...type }
}

/** Writes the files of a group that the whole package has. @returns the group, where there are any */
const writeGroup = (
  { add, created }: Writing,
  { folder, label }: { folder: string; label: string },
  files: CopiedPayload['tables'],
): { label: string; group: FileGroup }[] => {
  const written = files.map(({ name, text }) => metsFileOf(add(`${folder}/${name}`, text()), '', created))
  return written.length === 0 ? [] : [{ label, group: { id: folder, use: label, files: written } }]
}

/**
 * Writes what makes copied files an E-ARK SIP: PREMIS and METS of each representation, descriptive metadata,
 * documentation, schemas, PREMIS and METS of the package. METS come last, as each names what was written
 * before it.
 * @returns the digest of the root METS, which stands for all that the package holds
 */
export const writeMetadata = (copied: CopiedPayload, add: AddFile): string => {
  const { spec } = copied.plan
  const payload: CopiedPayload = {
    ...copied,
    // The root folder has the name of the package (CSIP1).
    labels: [['OBJID', spec.top], ...copied.labels.filter(([label]) => label !== 'OBJID')],
  }
  const values = new Map(payload.labels)
  const created = values.get('CREATEDATE') ?? ''
  const schemaLocation = schemaLocationOf(payload.schemas)
  const algorithm = spec.algorithms[0] ?? 'sha256'
  const writing: Writing = { payload, add, algorithm, created, schemaLocation }
  const representations = representationsOf(payload).map((representation, index) => ({
    label: `Representations/${representation.folder.slice(representationsFolder.length + 1)}`,
    group: `representation-${index + 1}`,
    mets: metsFileOf(writeRepresentation(writing, representation), '', created),
  }))
  const schemas = payload.schemas.map(({ name, text }) => ({ name, text: () => [text] }))
  const common = [
    ...writeGroup(writing, { folder: documentationFolder, label: 'Documentation' }, payload.tables),
    ...writeGroup(writing, { folder: schemasFolder, label: 'Schemas' }, schemas),
  ]
  const descriptive = writeDescriptive(writing)
  const premis = add(preservationFile, [premisEvents(payload.labels, schemaLocation)])
  const groups: FileGroup[] = [
    ...common.map(({ group }) => group),
    ...representations.map(({ label, group, mets }) => ({
      id: group,
      use: label,
      content: values.get('CONTENTINFORMATIONTYPE') ?? 'MIXED',
      files: [mets],
    })),
  ]
  const written = add(
    metsFile,
    metsOf({
      folder: '',
      schemaLocation,
      objectId: spec.top,
      label: values.get('LABEL') ?? '',
      labels: payload.labels,
      isRoot: true,
      checksumType: algorithmNames[algorithm],
      descriptive,
      preservation: metsFileOf(premis, '', created),
      groups,
      divisions: [
        { label: 'Metadata', descriptive: 'descriptive', administrative: 'preservation' },
        ...common.map(({ label, group }) => ({ label, group: group.id })),
        ...representations.map(({ label, group, mets }) => ({ label, mets: { path: mets.path, group } })),
      ],
    }),
  )
  return written.digests[0] ?? ''
}
