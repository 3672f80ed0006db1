import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PackingSettings } from '../../../../electron/contract/transfers.ts'
import { openDatabase } from '../../../../electron/local-archive/database.ts'
import { startArchive, type RunningArchive } from '../../../archives/archive.ts'
import { present } from '../../../support/present.ts'
import { scratch } from '../../../support/scratch.ts'
import { until } from '../../../support/until.ts'
import { openWindowless } from '../../../desks/windowless.ts'

const eArk = (version: string) => ({ format: 'e-ark-sip', version })
const profile = (version: string) => `https://earksip.dilcis.eu/profile/E-ARK-SIP${version}.xml`

/** What agreements say of how packages are made, by their names: what one of their profiles has. */
const agreements = {
  sip: {
    type: 'transfer_project',
    body: { template: [{ key: 'profile', defaultValue: profile('-v2-1-0') }] },
  },
  newest: { type: 'sip', body: { specification_data: { METS_PROFILE: profile('') } } },
  making: { type: 'sip', body: { structure: [{ type: 'folder', name: 'representations' }] } },
  silent: { type: 'sip', body: { label: 'https://earkdip.dilcis.eu/profile/E-ARK-DIP.xml' } },
}
type Name = keyof typeof agreements

const place = scratch()
const ids = Object.fromEntries(
  Object.keys(agreements).map((name, index) => [
    name,
    { agreement: randomUUID(), delivery: String(100 + index) },
  ]),
) as Record<Name, { agreement: string; delivery: string }>

/** Puts the agreements into the data of an archive, and a delivery under each of them. */
const plant = (data: string) => {
  const database = openDatabase(data)
  for (const [name, { type, body }] of Object.entries(agreements)) {
    const { agreement, delivery } = ids[name as Name]
    const said = { name, type: 'Standard', status: 'Agreed', label: name, structure: [], template: [] }
    const profile = randomUUID()
    database.put('profile', { ...said, id: profile, profile_type: type, ...body })
    database.put('submission agreement', {
      ...said,
      id: agreement,
      published: true,
      archivist_organization: '',
      [`profile_${type}`]: profile,
    })
    database.put('delivery', {
      id: Number(delivery),
      name,
      type: 1,
      description: '',
      producer_organization: null,
      submission_agreement: agreement,
      reference_code: '',
    })
  }
  database.close()
}

const archives: Record<string, RunningArchive> = {}
beforeAll(async () => {
  for (const dialect of ['specification', 'essarch']) {
    const data = path.join(place.folder, dialect)
    const args = ['--sample', '--dialect', dialect]
    await (await startArchive(data, ...args)).stop()
    plant(data)
    archives[dialect] = await startArchive(data, ...args)
  }
})
afterAll(async () => {
  for (const archive of Object.values(archives)) await archive.stop()
  place[Symbol.dispose]()
})

/** A draft of a new desk, with what is done to it. */
const openDraft = async (dialect: string) => {
  const archive = present(archives[dialect])
  const { stop, features } = openWindowless(path.join(place.folder, `desk-${randomUUID()}`))
  const { transfers, session, connection } = features
  await session.signIn({ url: archive.url, username: archive.username, password: archive.password })
  await connection.refresh(undefined)
  const begun = await transfers.create(undefined)
  const { id } = begun
  const one = async () => transfers.one({ id })
  return {
    stop,
    transfers,
    connection,
    begun,
    one,
    choose: async (name: Name | 'none') => {
      const { agreement, delivery } = name === 'none' ? { agreement: '', delivery: '' } : ids[name]
      const chosen = dialect === 'essarch' ? { agreement } : { delivery }
      return transfers.save({ id, form: { ...(await one()).form, ...chosen } })
    },
    arrange: (packing: PackingSettings) => transfers.arrange({ id, packing }),
    /** Its format, once it is proposed by somebody. */
    proposedBy: (who: PackingSettings['formatProposedBy']) =>
      until(async () => {
        const { format, version, formatProposedBy } = (await one()).packing
        return formatProposedBy === who ? { format, version } : undefined
      }),
  }
}

test.each(['specification', 'essarch'])(
  'an agreement proposes the format of a draft, or else the desk (%s)',
  async (dialect) => {
    const { stop, begun, choose, proposedBy, one } = await openDraft(dialect)
    expect(begun.packing).toMatchObject({ formatProposedBy: 'desk' })
    expect(begun.packing).not.toHaveProperty('format')
    await choose('sip')
    expect(await proposedBy('agreement')).toEqual({ format: 'e-ark-sip', version: '2.1.0' })
    // What else is arranged stays.
    expect((await one()).packing).toMatchObject({ algorithm: 'sha256', isPolite: false })
    await choose('silent')
    expect(await proposedBy('desk')).toEqual({})
    await choose('newest')
    expect(await proposedBy('agreement')).toEqual({ format: 'e-ark-sip', version: '2.2.0' })
    await choose('making')
    await until(async () => ((await one()).packing.format === 'bagit' ? true : undefined))
    expect(await proposedBy('agreement')).toEqual({ format: 'bagit' })
    await choose('none')
    expect(await proposedBy('desk')).toEqual({})
    await stop()
  },
)

test.each(['specification', 'essarch'])(
  'what a person chose is not proposed over, and stands in the next draft (%s)',
  async (dialect) => {
    const { stop, begun, transfers, choose, arrange, proposedBy, one } = await openDraft(dialect)
    await choose('sip')
    await proposedBy('agreement')
    // Another pace is no other format.
    const polite = await arrange({ ...(await one()).packing, isPolite: true })
    expect(polite.packing).toMatchObject({ version: '2.1.0', formatProposedBy: 'agreement' })
    const { packing } = await arrange({ ...polite.packing, version: '2.2.0' })
    expect(packing).toEqual({
      ...begun.packing,
      ...eArk('2.2.0'),
      isPolite: true,
      formatProposedBy: undefined,
    })
    await choose('making')
    await choose('sip')
    const like = await transfers.createLike({ id: begun.id })
    expect(like.packing).toEqual(packing)
    // The last one was made so; its agreement, which is proposed too, says otherwise.
    const next = await transfers.create(undefined)
    expect(next.packing).toMatchObject({ ...eArk('2.2.0'), formatProposedBy: 'desk' })
    expect((await one()).packing).toEqual(packing)
    await stop()
  },
)
