import type { capabilities as promised } from '../contract/capabilities.ts'
import type { Fulfils } from '../contract/define.ts'
import type { Abilities } from '../session/abilities.ts'
import type { Session } from '../session/session.ts'

/** What the archive that is shown can do. Another organization sees other packages, so everything is read anew. */
export const capabilities = ({ session, abilities, refresh }: { session: Session; abilities: Abilities; refresh: () => Promise<void> }): Fulfils<typeof promised> => ({
  read: () => abilities.of(session.account().archive),
  ask: () => abilities.ask(),
  chooseOrganization: async ({ id }) => {
    const it = await abilities.chooseOrganization(id)
    void refresh()
    return it
  },
})
