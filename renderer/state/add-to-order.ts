import type { ArchiveDesk } from '../bridge.svelte.ts'
import { say } from '../language/say.svelte.ts'
import { announcement } from './announce.svelte.ts'
import { go } from './place.svelte.ts'
import type { FilePlace } from './reader-address.ts'

/**
 * Adds packages to the order that is being put together, or begins one; what another open order asks for is
 * said.
 */
export const addToOrder = async (desk: ArchiveDesk, packages: string[]) => {
  const { id, added, label, already } = await desk.orders.add({
    id: null,
    packages: packages.slice(0, 1_000),
  })
  const [first] = already
  announcement.say(
    () =>
      [say.orders.added(added, label), ...(first ? [say.orders.already(first.label, first.order)] : [])].join(
        ' ',
      ),
    { text: () => say.orders.open, run: () => go('orders', id) },
  )
}

/** The same with one file of a package, whose path then stands in the words of the order. */
export const orderFile = async (desk: ArchiveDesk, file: FilePlace) => {
  const { id } = await desk.orders.addFile(file)
  announcement.say(() => say.reader.ordered, { text: () => say.orders.open, run: () => go('orders', id) })
}
