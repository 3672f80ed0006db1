import type { Client } from '../archive-client/http.ts'
import type { ContentsOf, NodeInside } from './models.ts'

/** What stands where, in an archive whose lists do not say it. */
export interface ContentsPart {
  /**
   * The nodes in a unit, or right below a node: the first hundred thousand.
   * @throws Failed not-found where the archive does not have it any more
   */
  read: (archive: Pick<Client, 'answer'>, of: ContentsOf) => Promise<NodeInside[]>
}
