import { spawn, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { scratch } from '../../../support/scratch.ts'
import { until } from '../../../support/until.ts'
import { builtFile } from '../../../support/built.ts'

const command = fileURLToPath(builtFile('package-command.js'))
const run = ([program = '', ...args]: string[], cwd: string, env: NodeJS.ProcessEnv = {}) => {
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    env: { ...process.env, INIT_CWD: cwd, ...env },
  })
  const lines =
    stdout.trim() === ''
      ? []
      : stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Record<string, unknown>)
  return {
    status,
    lines,
    findings: lines.filter((line) => 'level' in line),
    summary: lines.find((line) => 'summary' in line),
    stderr,
  }
}
const commandIn = (cwd: string, ...args: string[]) => run([process.execPath, command, ...args], cwd)
const makeSource = (folder: string) => {
  mkdirSync(path.join(folder, 'källa'))
  writeFileSync(path.join(folder, 'källa/å.txt'), 'å')
  symlinkSync('/etc/passwd', path.join(folder, 'källa/länk'))
}

test('a bag is made and found valid; a changed one is not, and every finding is a line', () => {
  using place = scratch()
  makeSource(place.folder)
  for (const form of ['folder', 'tar', 'zip']) {
    const made = commandIn(
      place.folder,
      'create',
      'källa',
      form,
      '--form',
      form,
      '--info',
      'Source-Organization=Ölands arkiv',
      '--algorithm',
      'sha512',
    )
    expect(made).toMatchObject({
      status: 0,
      findings: [{ level: 'warning', code: 'skipped', why: 'link', target: '/etc/passwd' }],
      summary: { summary: 'valid', files: 1, skipped: 1 },
    })
    const ending = form === 'folder' ? '' : `.${form}`
    expect(commandIn(place.folder, 'validate', `${form}${ending}`)).toMatchObject({
      status: 0,
      findings: [],
      summary: { summary: 'valid', form, algorithms: ['sha512'], errors: 0 },
    })
  }
  appendFileSync(path.join(place.folder, 'folder/data/källa/å.txt'), 'x')
  const checked = commandIn(place.folder, 'validate', 'folder')
  expect(checked).toMatchObject({ status: 1, summary: { summary: 'invalid', errors: 2 } })
  expect(checked.findings.map(({ code }) => code)).toEqual(['oxum', 'mismatch'])
  expect(checked.findings[1]).toMatchObject({
    file: 'manifest-sha512.txt',
    line: 1,
    message: expect.stringMatching(/does not have the checksum that is listed/) as unknown,
  })
})

test('what is no bag, is not there or is there already ends with 2 and a sentence', () => {
  using place = scratch()
  makeSource(place.folder)
  expect(commandIn(place.folder, 'validate', 'källa')).toMatchObject({
    status: 2,
    findings: [{ code: 'not-a-package' }],
  })
  expect(commandIn(place.folder, 'validate', 'borta')).toMatchObject({
    status: 2,
    findings: [{ code: 'unreadable', message: expect.stringMatching(/borta/) as unknown }],
  })
  expect(commandIn(place.folder, 'create', 'borta', 'bag')).toMatchObject({
    status: 2,
    findings: [{ kind: 'source', trouble: 'vanished' }],
  })
  expect(commandIn(place.folder, 'create', 'källa', 'källa')).toMatchObject({
    status: 2,
    findings: [{ message: expect.stringMatching(/there already/) as unknown }],
  })
  expect(commandIn(place.folder, 'create', 'källa', 'bag', '--form', 'rar')).toMatchObject({ status: 2 })
  expect(commandIn(place.folder, 'create', 'källa', 'bag', '--algorithm', 'md5')).toMatchObject({ status: 2 })
  expect(commandIn(place.folder, 'create', 'källa', 'bag', '--nonsense')).toMatchObject({ status: 2 })
  // A system that has no folders to make says so, and nobody waits for it for ever.
  if (process.platform === 'linux')
    expect(commandIn(place.folder, 'create', 'källa', '/proc/none/bag')).toMatchObject({ status: 1 })
  expect(commandIn(place.folder)).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/npm run package/) as unknown,
  })
  expect(readdirSync(place.folder)).toEqual(['källa'])
})

test('what cannot be read, or no room for the check, is no verdict: 2, with a sentence', () => {
  using place = scratch()
  makeSource(place.folder)
  expect(commandIn(place.folder, 'create', 'källa', 'bag', '--info', 'A=b')).toMatchObject({ status: 0 })
  const nowhere = { TMPDIR: '/nowhere', TEMP: '/nowhere', TMP: '/nowhere' }
  // A short manifest is checked without a file beside.
  expect(run([process.execPath, command, 'validate', 'bag'], place.folder, nowhere)).toMatchObject({
    status: 0,
  })
  mkdirSync(path.join(place.folder, 'many'))
  for (let number = 0; number < 1_000; number += 1)
    writeFileSync(path.join(place.folder, 'many', `${number}.txt`), '')
  expect(commandIn(place.folder, 'create', 'many', 'large', '--info', 'A=b')).toMatchObject({ status: 0 })
  expect(run([process.execPath, command, 'validate', 'large'], place.folder, nowhere)).toMatchObject({
    status: 2,
    findings: [{ level: 'error', code: 'disk', trouble: 'gone' }],
    summary: { summary: 'failed' },
    stderr: '',
  })
  // The administrator reads everything unless these rights are laid down first.
  const weak =
    process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : ['env']
  const submitted = ['--format', 'e-ark', '--info', 'CREATOR ORGANIZATION=A']
  expect(commandIn(place.folder, 'create', 'källa', 'sip', ...submitted)).toMatchObject({ status: 0 })
  // A folder that may not be listed may still let one to what is known to lie in it.
  const [closed, unlisted] = [0, 0o111]
  for (const [name, mayDo] of [
    ['bag/data/källa/å.txt', closed],
    ['bag/data/källa', closed],
    ['bag/data/källa', unlisted],
    ['bag/data', closed],
    ['bag/manifest-sha256.txt', closed],
    ['bag/bag-info.txt', closed],
    ['bag/bagit.txt', closed],
    ['sip/representations/rep1/data/källa/å.txt', closed],
    ['sip/representations/rep1/METS.xml', closed],
    ['sip/representations', unlisted],
    ['sip/metadata', closed],
    ['sip/METS.xml', closed],
  ] as const) {
    const file = path.join(place.folder, name)
    const { mode } = statSync(file)
    chmodSync(file, mayDo)
    const which = name.slice(0, name.indexOf('/'))
    const checked = run([...weak, process.execPath, command, 'validate', which], place.folder)
    chmodSync(file, mode)
    expect({ name, ...checked }).toMatchObject({ name, status: 2, summary: { summary: 'unreadable' } })
    expect(new Set(checked.findings.map(({ code }) => code))).toEqual(new Set(['unreadable']))
    // Where it lies is said once, by its name in the bag.
    expect(checked.findings.filter(({ detail }) => String(detail).includes(place.folder))).toEqual([])
  }
})

test('a label or value that cannot be written as it is is refused, and what is taken is valid', () => {
  using place = scratch()
  makeSource(place.folder)
  const made = (info: string) => commandIn(place.folder, 'create', 'källa', 'bag', '--info', info)
  for (const info of [
    'A:B=c',
    'A\nB=c',
    'A\u0001=c',
    'A=b\nPayload-Oxum: 1.1',
    'A=b\rc',
    '=b',
    'Payload-Oxum=1.1',
    'bagging-date=2026-01-01',
    'Bag-Software-Agent=mine',
    'A=\uFFFD',
  ])
    expect(made(info)).toMatchObject({ status: 2, findings: [{ code: 'unreadable' }] })
  expect(existsSync(path.join(place.folder, 'bag'))).toBe(false)
  const value = `  b: c ${'lång '.repeat(40)}${'x'.repeat(200)}\u2028\u00a0ö`
  expect(made(`A b=${value}`)).toMatchObject({ status: 0 })
  expect(commandIn(place.folder, 'validate', 'bag')).toMatchObject({ status: 0, findings: [] })
  const [, kept = ''] =
    /^Bag-Software-Agent: Lectern .*\n([^]*)\nPayload-Oxum/m.exec(
      readFileSync(path.join(place.folder, 'bag/bag-info.txt'), 'utf8'),
    ) ?? []
  expect(kept.replaceAll('\n ', '').replaceAll('  ', ' ')).toBe(`A b: ${value.trim()}`)
})

test('the command of bags makes bags, and no other package is one for it', () => {
  using place = scratch()
  makeSource(place.folder)
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  const [, , ...ofBags] = (scripts['bag:run'] ?? '').split(' ')
  const sip = ['--format', 'e-ark', '--info', 'CREATOR ORGANIZATION=Ölands arkiv']
  expect(commandIn(place.folder, ...ofBags, 'create', 'källa', 'bag')).toMatchObject({ status: 0 })
  expect(commandIn(place.folder, 'create', 'källa', 'sip', ...sip)).toMatchObject({ status: 0 })
  const status = (...args: string[]) => commandIn(place.folder, ...args).status
  expect([status(...ofBags, 'validate', 'bag'), status('validate', 'bag')]).toEqual([0, 0])
  expect([status(...ofBags, 'validate', 'sip'), status('validate', 'sip')]).toEqual([2, 0])
  const withProfile = ['--format', 'e-ark', '--profile', 'profil.json']
  expect(commandIn(place.folder, 'validate', 'sip', ...withProfile)).toMatchObject({
    status: 2,
    findings: [{ message: 'Profiles are of bags.' }],
  })
})

test('labels of a bag stand as they were given, in their order and repeats too', () => {
  using place = scratch()
  makeSource(place.folder)
  const info = ['Contact-Name=B', 'Source-Organization=Ö', 'Contact-Name=A', 'Seal=1', 'Seal=1']
  const order = ['create', 'källa', 'bag', ...info.flatMap((pair) => ['--info', pair])]
  expect(commandIn(place.folder, ...order)).toMatchObject({ status: 0 })
  const text = readFileSync(path.join(place.folder, 'bag/bag-info.txt'), 'utf8')
  expect(text.match(/^(?:Contact-Name|Source-Organization|Seal): .*$/gm)).toEqual(
    info.map((pair) => pair.replace('=', ': ')),
  )
})

test('a first word that does not fit beside its label, and a label as long as a line, stay valid', () => {
  using place = scratch()
  makeSource(place.folder)
  const info = [`External-Identifier=https://example.org/${'w'.repeat(100)}`, `${'L'.repeat(90)}=a b`]
  const order = ['create', 'källa', 'bag', ...info.flatMap((pair) => ['--info', pair])]
  expect(commandIn(place.folder, ...order)).toMatchObject({ status: 0 })
  expect(commandIn(place.folder, 'validate', 'bag')).toMatchObject({ status: 0, findings: [] })
})

test('a bag in one file may be called anything that a file may', () => {
  using place = scratch()
  makeSource(place.folder)
  for (const [name, form] of [
    ['~bag.tar', 'tar'],
    ['-å%0A b:g.zip', 'zip'],
  ] as const) {
    const target = path.join(place.folder, name)
    expect(commandIn(place.folder, 'create', 'källa', target, '--form', form)).toMatchObject({ status: 0 })
    expect(commandIn(place.folder, 'validate', target)).toMatchObject({ status: 0 })
  }
})

const profile = {
  'BagIt-Profile-Info': { 'BagIt-Profile-Identifier': 'https://example.org/p.json', Version: '1.0' },
  'Bag-Info': {
    'Source-Organization': { required: true, values: ['Ölands arkiv'] },
    'Contact-Name': { repeatable: false },
  },
  'Manifests-Required': ['SHA-512'],
  Serialization: 'required',
  'Accept-Serialization': ['application/x-tar'],
  'Accept-BagIt-Version': ['1.0'],
  'Tag-Files-Allowed': ['metadata/*'],
  'Payload-Files-Required': ['data/källa/å.txt'],
  'Payload-Files-Allowed': ['data/källa/*'],
}

test('a profile is asked before anything is packed, and again of the bag', () => {
  using place = scratch()
  makeSource(place.folder)
  writeFileSync(path.join(place.folder, 'p.json'), JSON.stringify(profile))
  const refused = commandIn(
    place.folder,
    'create',
    'källa',
    'bag',
    '--profile',
    path.join(place.folder, 'p.json'),
    '--info',
    'Source-Organization=X',
    '--info',
    'Contact-Name=A',
    '--info',
    'Contact-Name=B',
  )
  expect(refused).toMatchObject({ status: 1, summary: { summary: 'invalid', errors: 4 } })
  expect(refused.findings.map(({ detail }) => String(detail).split(':')[0])).toEqual([
    'values',
    'repeatable',
    'Serialization',
    'Manifests-Required',
  ])
  expect(existsSync(path.join(place.folder, 'bag'))).toBe(false)
  const right = ['--form', 'tar', '--algorithm', 'sha512', '--info', 'Source-Organization=Ölands arkiv']
  expect(
    commandIn(
      place.folder,
      'create',
      'källa',
      'bag',
      '--profile',
      path.join(place.folder, 'p.json'),
      ...right,
    ),
  ).toMatchObject({ status: 0 })
  expect(
    commandIn(place.folder, 'validate', 'bag.tar', '--profile', path.join(place.folder, 'p.json')),
  ).toMatchObject({ status: 0 })
  writeFileSync(
    path.join(place.folder, 'strict.json'),
    JSON.stringify({
      ...profile,
      'Payload-Files-Allowed': ['data/*.pdf'],
      'Tag-Files-Required': ['metadata/ead.xml'],
      'Data-Empty': true,
      'Fetch.txt-Required': true,
    }),
  )
  const strict = commandIn(
    place.folder,
    'validate',
    'bag.tar',
    '--profile',
    path.join(place.folder, 'strict.json'),
  )
  expect(strict).toMatchObject({ status: 1 })
  expect(strict.findings.map(({ detail }) => String(detail).split(':')[0]).sort()).toEqual([
    'Data-Empty',
    'Fetch.txt-Required',
    'Payload-Files-Allowed',
    'Tag-Files-Required',
  ])
  // A bag names the profile that it was made for, and no other format has one.
  const named = ['--info', 'BagIt-Profile-Identifier=https://example.org/other.json']
  const asked = ['create', 'källa', 'b', '--profile', 'p.json']
  expect(commandIn(place.folder, ...asked, ...right, ...named)).toMatchObject({ status: 2 })
  const submitter = ['--format', 'e-ark', '--info', 'CREATOR ORGANIZATION=Nämnden']
  expect(commandIn(place.folder, ...asked, ...submitter)).toMatchObject({
    status: 2,
    findings: [{ message: 'Profiles and several algorithms are of bags.' }],
  })
  expect(commandIn(place.folder, 'create', 'källa', 'sip', ...submitter)).toMatchObject({ status: 0 })
  expect(commandIn(place.folder, 'validate', 'sip')).toMatchObject({ status: 0 })
  expect(commandIn(place.folder, 'validate', 'sip', '--profile', 'p.json')).toMatchObject({
    status: 2,
    findings: [{ code: 'not-a-package' }],
  })
  writeFileSync(path.join(place.folder, 'no.json'), '{"Bag-Info": []}')
  expect(
    commandIn(place.folder, 'create', 'källa', 'b', '--profile', path.join(place.folder, 'no.json')),
  ).toMatchObject({
    status: 2,
    findings: [{ message: expect.stringMatching(/not a BagIt profile/) as unknown }],
  })
})

test('stopped in the middle, it says so, and the same order goes on', async () => {
  using place = scratch()
  mkdirSync(path.join(place.folder, 'källa'))
  for (let index = 0; index < 3; index += 1)
    writeFileSync(path.join(place.folder, `källa/${index}.bin`), Buffer.alloc(150_000_000, index))
  const order = ['create', path.join(place.folder, 'källa'), path.join(place.folder, 'bag')]
  const child = spawn(process.execPath, [command, ...order], { stdio: ['ignore', 'pipe', 'ignore'] })
  let said = ''
  child.stdout.on('data', (part: Buffer) => (said += String(part)))
  const gone = new Promise<number | null>((done) => child.once('exit', done))
  await until(() => (existsSync(path.join(place.folder, 'bag.partial/data')) ? true : undefined))
  child.kill('SIGINT')
  expect(await gone).toBe(2)
  expect(said).toMatch(/"summary":"stopped"/)
  expect(commandIn(place.folder, ...order)).toMatchObject({ status: 0, summary: { files: 3 } })
  expect(readdirSync(place.folder).sort()).toEqual(['bag', 'källa'])
})
