import { expect, test } from 'vitest'
import { describeContainer } from '../../../../electron/dialects/essarch/submit-description.ts'

const described = (software: string) =>
  describeContainer({
    identifier: 'SE-1',
    label: 'Minutes',
    agreement: 'SA-7',
    type: 'E-ARK SIP 2.2.0',
    software,
    archivist: '',
    organization: 'Harbour board',
    person: '',
    start: '',
    end: '',
    made: new Date(0),
    file: { name: 'SE-1.tar', bytes: 1, sha256: '00' },
  })

test.each([
  ['Lectern 1.0.0-beta.2', 'Lectern', '1.0.0-beta.2'],
  ['RODA-in v2.4', 'RODA-in', 'v2.4'],
  ['Archive Maker', 'Archive Maker', undefined],
  ['Maker', 'Maker', undefined],
])('the program %s is told as its name, and as a version where it has one', (software, name, version) => {
  const agent = /<agent [^>]*OTHERTYPE="SOFTWARE".*?<\/agent>/s.exec(described(software))?.[0] ?? ''
  expect(/<name>(.*?)<\/name>/.exec(agent)?.[1]).toBe(name)
  const notes = [...agent.matchAll(/<note>(.*?)<\/note>/g)].map(([, note]) => note)
  expect(notes).toEqual([...(version === undefined ? [] : [version]), 'E-ARK SIP 2.2.0'])
})
