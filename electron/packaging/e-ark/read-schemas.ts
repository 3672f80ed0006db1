import { isUtf8 } from 'node:buffer'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import type { SchemaFile } from '../format.ts'

/** XML Schema, DTD with its parts, RELAX NG, Schematron. */
const endings = /\.(xsd|dtd|ent|mod|rng|rnc|sch)$/i
/** Names that every system and program stores as they are. */
const plainSegment = /^[\w.()+-]+( [\w.()+-]+)*$/
const mostSchemas = 1_000
const mostBytes = 64 * 1024 ** 2

/** Why a folder of schemas is not taken. */
export class SchemasTrouble extends Error {
  /** What is wrong with which path. */
  readonly trouble: 'none' | 'no-text' | 'name' | 'too-many'
  readonly path: string
  constructor(trouble: SchemasTrouble['trouble'], file: string) {
    super(`${trouble}: ${file}`)
    this.trouble = trouble
    this.path = file
  }
}

/**
 * Reads the schemas of a folder and the folders in it; links are not followed, and other files left out.
 * @throws SchemasTrouble where there are none or more than is read, one is no UTF-8, or its name is stored
 * otherwise by some systems; the system's error where one cannot be read
 */
export const readSchemas = (folder: string): SchemaFile[] => {
  const schemas: SchemaFile[] = []
  let bytes = 0
  const visit = (below: string) => {
    const entries = readdirSync(path.join(folder, below), { withFileTypes: true })
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const name = path.posix.join(below, entry.name)
      const file = path.join(folder, name)
      if (entry.isDirectory()) visit(name)
      if (!entry.isFile() || !endings.test(entry.name)) continue
      if (!name.split('/').every((part) => plainSegment.test(part))) throw new SchemasTrouble('name', file)
      bytes += statSync(file).size
      if (schemas.length === mostSchemas || bytes > mostBytes) throw new SchemasTrouble('too-many', folder)
      const read = readFileSync(file)
      if (!isUtf8(read)) throw new SchemasTrouble('no-text', file)
      schemas.push({ name, text: read.toString('utf8') })
    }
  }
  visit('')
  if (schemas.length === 0) throw new SchemasTrouble('none', folder)
  return schemas
}
