import { reach } from '../../electron/archive-client/http.ts'
import type { FormField } from '../../electron/contract/description.ts'
import { openCreations } from '../../electron/outbox/creations.ts'
import type { Session } from '../../electron/session/session.ts'
import { openDeskStore } from '../../electron/store/desk.ts'
import { seeded } from '../faults/mutate.ts'

// The outbox of a desk in a process of its own, so that it can be killed: node desk.ts FILE URL AUTHORIZATION SEED add|settle
const [file = '', url = '', authorization = '', seed = '1', mode = 'add'] = process.argv.slice(2)
const began = Date.now()
/** Waits of minutes pass in fractions of a second. */
const haste = 400
const now = () => new Date(began + (Date.now() - began) * haste)

const archive = reach(url, authorization, () => 'en')
const store = openDeskStore(file)
const random = seeded(Number(seed))
const session = { reached: () => ({ account: { archive: 'a' }, archive }), met: () => undefined } as unknown as Session
const fields: FormField[] = ['name', 'profile_type', 'label'].map((name) => ({ name, label: name, help: '', type: 'text', isRequired: false, longest: null, choices: [], of: [] }))
const told = new Set<string>()
const creations = openCreations({
  ...{ store, session, now, random },
  bug: (error) => {
    console.error(error)
    return ''
  },
  // On disk from here on: whoever listens may count on it.
  changed: (id) => {
    const it = store.creation(id)
    if (it && !told.has(id)) console.log(it.title)
    told.add(id)
  },
  delivered: () => Promise.resolve(),
})
creations.tidy(['a'])
for (const { id } of creations.list('a')) told.add(id)

const isOpen = () => creations.list('a').some(({ state }) => state === 'waiting' || state === 'unanswered' || state === 'sending')
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

for (let number = 0; mode === 'add'; number += 1) {
  void creations.add('a', 'profiles', fields, { name: `torture ${seed} ${number}`, profile_type: 'sip', label: 'x' })
  await pause(30 + random() * 60)
  const held = creations.list('a').find(({ state }) => state === 'waiting')
  // Somebody is at the desk as well: holds, releases, moves.
  if (held && random() < 0.1) {
    creations.hold(held.id)
    creations.move(held.id, 1)
    creations.release(held.id)
  }
  void creations.kick('a')
}
while (isOpen()) {
  await creations.kick('a')
  await pause(50)
}
console.log(JSON.stringify(creations.list('a').map(({ title, state }) => ({ title, state }))))
await archive.close()
store.close()
