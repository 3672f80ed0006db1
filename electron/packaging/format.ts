import type { FileRole } from '../contract/files.ts'
import type { PackageReport } from '../contract/findings.ts'
import type { DraftProfile, PackingSettings } from '../contract/transfers.ts'
import type { Algorithm, WritableAlgorithm } from './digests.ts'
import type { CheckThreads } from './check-threads.ts'
import type { Control } from './pack/control.ts'
import type { CopiedPayload } from './pack/copied-payload.ts'
import type { AddFile } from './pack/added-files.ts'
import type { PackingOptions, Packed } from './pack/pack.ts'
import type { CheckScripts } from './scripts.ts'

/** What stands in a package about itself, in the order it stands there; labels may repeat. */
export type Label = [label: string, value: string]

/** What is known of a package beside its files; an empty text stands for nothing. */
export interface PackageRecord {
  /** By what its producer knows it. */
  identifier: string
  name: string
  description: string
  /** By what the desk knows it that sends it. */
  senderIdentifier: string
  /** The archive's transfer that it belongs to, where it is known already. */
  transfer: string
  organization: string
  address: string
  person: string
  email: string
  /** What else is said of it; labels may repeat. */
  further: Label[]
}

/** Where a package comes from; an empty text stands for what it does not say. */
export interface Provenance {
  /** The format and its version, as people call them. */
  type: string
  /** The program that packed it, with its version. */
  software: string
  /** Whose archive it is of. */
  archivist: string
  /** The first and the last day of what it holds (YYYY-MM-DD). */
  start: string
  end: string
}

/** A file that describes a package (EAD, MODS, Dublin Core): its name, and its text in UTF-8. */
export interface DescriptiveFile {
  name: string
  text: string
}

/** A schema that lies in a package: its path below the folder of schemas, and its text in UTF-8. */
export interface SchemaFile {
  name: string
  text: string
}

/** What is to be packed, and what is said of it. */
export interface PackageDraft {
  sources: string[]
  form: PackingSettings['form']
  algorithms: WritableAlgorithm[]
  record: PackageRecord
  /** The text of the profile that the receiver wants met; null where there is none. */
  profile: string | null
  /** The version of the format, of those that it is written in; the first of them where nothing is said. */
  version?: string
  /** What describes the package in place of what the record says, where the format carries such a file. */
  descriptive?: DescriptiveFile
  /** Schemas of what is written, where the format carries them, in place of those that it has itself. */
  schemas?: SchemaFile[]
  /** Whether each folder of the sources is a representation of its own, where the format has them. */
  representations?: 'one' | 'each folder'
  /** The program that packs, with its version. */
  software: string
  made: Date
}

/** What a package will say of itself, and what its profile asks for that the draft does not have yet. */
export interface PackagePlan {
  labels: Label[]
  profile: DraftProfile | null
}

export interface CheckOptions {
  scripts: CheckScripts
  signal: AbortSignal
  /** The text of the profile that it has to meet. */
  profile?: string
  onTotal?: (total: { files: number; bytes: number }) => void
  onProgress?: (progress: { files: number; bytes: number; file: string }) => void
  onControl?: (control: Control) => void
  threads?: number
  /** Where it takes its thread: one of its own, unless one who checks many keeps them. */
  checkThreads?: CheckThreads
}

/** What a package says of a file: its digest in small hexadecimal letters. */
export interface NamedDigest {
  algorithm: Algorithm
  digest: string
}

/** What a description says that a file is. */
export interface NamedFile {
  /** From the folder of the description, in NFC. */
  path: string
  role: FileRole | null
}

/** A rule of a profile that a package breaks, with what the rule wants. */
export interface UnmetRule {
  rule: string
  detail: string
}

/**
 * What a transfer is packed as. Each format is a folder of this room and a line in formats.ts; whoever packs,
 * checks or reads packages knows this interface alone.
 */
export interface PackageFormat {
  /** By what desks and reports know it; kept with what was packed, so it never changes. */
  name: string
  /** What will be in a package, and what is wrong with it, before a byte is written. */
  plan: (draft: Omit<PackageDraft, 'sources'>) => PackagePlan
  /**
   * Packs sources in threads, under a temporary name until everything was read back and counted. Work on the
   * same unchanged sources that was stopped or killed goes on where it was.
   * @param target where the package goes, with the ending of its form; nothing may be there
   * @throws Failed with the path at fault; DOMException AbortError when the signal said so. What is done
   * stays for the next time.
   */
  write: (draft: PackageDraft, target: string, options: PackingOptions) => Promise<Packed>
  /**
   * Reads a package in a folder, tar or zip, changes and unpacks nothing, and says everything that is wrong:
   * `not-a-package` where it is none of this format.
   * @throws DOMException AbortError when the signal said so; the system's error where the path cannot be
   * read; Failed disk where the check finds no space for its temporary files
   */
  check: (path: string, options: CheckOptions) => Promise<PackageReport>
  /** What a package says of itself, as a check read it; the way back from the labels of a plan. */
  describe: (labels: Label[]) => PackageRecord
  /** Where a package comes from, as a check read it. */
  provenanceOf: (report: Pick<PackageReport, 'version' | 'info'>) => Provenance
  /**
   * Reads a file that is to describe packages of this format; absent where they carry none.
   * @throws Failed bad-descriptive where it is none, disk where it cannot be read
   */
  readDescriptive?: (file: string) => Promise<DescriptiveFile>
  /**
   * The version of this format whose profile has this address, in the METS of packages for instance;
   * undefined where none has, absent where its versions have no such profiles.
   */
  versionAt?: (profile: string) => string | undefined
  /** What is wrong with the text of a profile; null where it is one. */
  troubleOfProfile: (text: string) => string | null

  /** The folder of a package that its sources lie in, as the walk of the sources names them. */
  payloadFolder: string
  /** The paths in a package that are of its payload, and not what the format adds. */
  payloadPaths: RegExp
  /** Whether its packages have representations; an archive that makes them itself does not take it. */
  hasRepresentations: boolean
  /** The forms in which a desk packs it to send it. */
  sentForms: readonly PackingSettings['form'][]
  /**
   * Whether such a package has to be named as its identifier where it is a folder. What a desk keeps has the
   * name that the desk gave, so it makes a folder only where that is the identifier.
   */
  isNamedAsIdentifier: boolean
  /**
   * Whether a folder that was unpacked is the package itself, as its entries say; else it is in its only one.
   */
  isPackage: (entries: string[]) => boolean
  /**
   * By which algorithm a file at the top of a package names the digest of a path below it; undefined where
   * files of this name say nothing of such a path.
   */
  manifestOf: (name: string, path: string) => Algorithm | undefined
  /** A line of such a file: a digest in small hexadecimal letters, and a path; undefined for any other. */
  readManifestLine: (line: string) => { digest: string; path: string } | undefined
  /**
   * A file that describes what lies beside and below it in one document, where a format has such files; and
   * what it says of a path below its folder, undefined where it says nothing.
   */
  description?: {
    file: string
    digestOf: (parts: AsyncIterable<Buffer>, path: string) => Promise<NamedDigest | undefined>
    /** What it says that the files are which it names; undefined where it cannot be read to its end. */
    namedIn: (parts: AsyncIterable<Buffer>) => Promise<NamedFile[] | undefined>
    /**
     * What these are in a folder, by the names of its entries in NFC: of those that are named, or that hold
     * what is named; null where several things are said of what is in one.
     */
    rolesOf: (named: readonly NamedFile[], folder: string) => Map<string, FileRole | null>
  }
  /**
   * In the thread that coordinates: what the format adds once the payload is copied.
   * @returns the digest that stands for all that the package holds
   */
  addFiles: (payload: CopiedPayload, add: AddFile) => string
  /** In the same thread: what the finished package breaks of its profile, the first hundred rules. */
  unmetRules: (payload: CopiedPayload) => UnmetRule[]
}
