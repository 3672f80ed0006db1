import path from 'node:path'
import { statSync } from 'node:fs'
import { isFolderName } from '../../contract/identifier.ts'
import type { PackageDraft } from '../format.ts'
import { freeName, plainName } from '../names.ts'
import { packSources, type Packed, type PackingOptions } from '../pack/pack.ts'
import { suffixOf } from '../pack/serializations.ts'
import { rootsOf, type Root } from '../pack/walk.ts'
import { planOf, versionOf } from './describe.ts'
import { dataFolder, eArkSip, usualRepresentation } from './layout.ts'
import { usualSchemas } from './schemas.ts'

const isFolder = (source: string) => statSync(source, { throwIfNoEntry: false })?.isDirectory() === true

/** Each folder becomes a representation of its name; files lie in the usual one. */
const representationRoots = (sources: string[]): Root[] => {
  const files = sources.filter((source) => !isFolder(source))
  const taken = new Set(files.length > 0 ? [usualRepresentation] : [])
  const folders = sources.filter(isFolder).map((source): Root => {
    // METS names representations, so XML has to hold what they are called.
    const name = freeName(taken, plainName(path.basename(source)))
    return { path: source, name: dataFolder(name) }
  })
  return [...folders, ...rootsOf(files, dataFolder(usualRepresentation))]
}

/**
 * The name of the root folder, which is the identifier of the package (CSIP1). A package in one file may be
 * renamed on its way, a folder may not.
 */
const topOf = ({ form, record }: PackageDraft, target: string) =>
  form !== 'folder' && record.identifier !== '' && isFolderName(record.identifier)
    ? record.identifier
    : path.basename(target, suffixOf(form))

/** Packs sources as an E-ARK SIP. @throws as the `write` of a format */
export const packSip = async (
  draft: PackageDraft,
  target: string,
  options: PackingOptions,
): Promise<Packed> => {
  const { sources, form, algorithms, version, descriptive, schemas, representations } = draft
  const payloadFolder = dataFolder(usualRepresentation)
  return packSources(
    {
      format: { name: eArkSip, payloadFolder },
      sources,
      roots:
        representations === 'each folder' ? representationRoots(sources) : rootsOf(sources, payloadFolder),
      target,
      top: topOf(draft, target),
      form,
      algorithms,
      labels: planOf({ ...draft, version: versionOf(version) }).labels,
      profile: null,
      descriptive: descriptive ? { ...descriptive, name: plainName(descriptive.name) } : null,
      schemas: schemas ?? (await usualSchemas()),
    },
    options,
  )
}
