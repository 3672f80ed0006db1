import { openRequestThread } from '../../common/request-thread.ts'
import { NoSpace } from '../system-error.ts'
import type { Intake, IntakeRequest, Outcome, Trouble } from './intake.ts'

const errorOf = ({ message, code, isNoSpace }: Trouble): Error => {
  if (isNoSpace) return new NoSpace(message)
  return code === '' ? new Error(message) : Object.assign(new Error(message), { code })
}

/** The thread that works on the files of packages on their way in. */
export const openIntakeThread = (script: URL) => {
  const thread = openRequestThread<IntakeRequest>({
    task: 'takes packages in',
    script,
    resourceLimits: { maxYoungGenerationSizeMb: 2 },
  })
  const ask = async <Name extends keyof Intake>(
    request: Extract<IntakeRequest, { name: Name }>,
  ): Promise<PromiseSettledResult<Awaited<ReturnType<Intake[Name]>>>[]> => {
    // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- as the thread does it
    const outcomes = (await thread.request(request)) as Outcome<Awaited<ReturnType<Intake[Name]>>>[]
    return outcomes.map((outcome) =>
      'value' in outcome
        ? { status: 'fulfilled', value: outcome.value }
        : { status: 'rejected', reason: errorOf(outcome.trouble) },
    )
  }
  return {
    inspect: (entries: string[]) => ask<'inspect'>({ name: 'inspect', items: entries }),
    receive: (items: Parameters<Intake['receive']>[0][]) => ask<'receive'>({ name: 'receive', items }),
    fingerprintOf: (folders: string[]) => ask<'fingerprintOf'>({ name: 'fingerprintOf', items: folders }),
    copy: async (item: Parameters<Intake['copy']>[0]) => {
      const [outcome] = await ask<'copy'>({ name: 'copy', items: [item] })
      if (outcome?.status === 'fulfilled') return outcome.value
      throw outcome?.reason
    },
    remove: (folders: string[]) => ask<'remove'>({ name: 'remove', items: folders }),
    close: thread.close,
  }
}
export type IntakeThread = ReturnType<typeof openIntakeThread>
