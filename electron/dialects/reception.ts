import type { Client } from '../archive-client/http.ts'

/** A tar that lies in the reception of an archive, and what is said of the package in it. */
export interface DescribedContainer {
  identifier: string
  label: string
  agreement: string
  /** The format of the package and its version, as people call them. */
  type: string
  /** The program that packed it, with its version; like all that follows empty where it is not known. */
  software: string
  archivist: string
  organization: string
  person: string
  /** The first and the last day of what it holds (YYYY-MM-DD). */
  start: string
  end: string
  made: Date
  /** The name of the file, and its SHA-256 in hexadecimal letters. */
  file: { name: string; bytes: number; sha256: string }
}

/** The folder of an archive in which packages are laid for it. */
export interface ReceptionPart {
  /** The folder in which the archive receives packages, as it sees it; undefined where it does not say. */
  reception: (archive: Pick<Client, 'list'>) => Promise<string | undefined>
  /** Whether the archive sees a folder in its reception. */
  isInReception: (archive: Pick<Client, 'list'>, name: string) => Promise<boolean>
  /**
   * Has a folder of the reception received, under its name as identifier, into the work area.
   * @throws Failed not-found where the archive has none there
   */
  receiveFolder: (archive: Pick<Client, 'post'>, name: string, agreement: string) => Promise<unknown>
  /** The file that describes a container in the reception, without which the archive does not see it. */
  describeContainer: (container: DescribedContainer) => string
}
