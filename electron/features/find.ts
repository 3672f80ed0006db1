import type { Fulfils } from '../contract/define.ts'
import type { find as promised } from '../contract/find.ts'
import type { Ask } from '../questions/questions.ts'
import type { Session } from '../session/session.ts'

export const find = ({ session, ask }: { session: Session; ask: Ask }): Fulfils<typeof promised> => {
  const here = () => session.account().archive
  return {
    ask: (which) => ask('found', here(), which),
    choices: () => ask('filterChoices', here()),
  }
}
