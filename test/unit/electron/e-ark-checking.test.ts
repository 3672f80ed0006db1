import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Finding } from '../../../electron/contract/findings.ts'
import { ruleText } from '../../../electron/language/e-ark-rules.ts'
import { checkEArk } from '../../../electron/packaging/e-ark/check/check.ts'
import { levelOf, rules, type RuleId } from '../../../electron/packaging/e-ark/check/rules.ts'
import { scratch } from '../../archive.ts'
import { brokenPackages } from '../../e-ark-broken.ts'
import { eArkFiles, writeFolder, type PackageFiles } from '../../e-ark.ts'
import { scripts } from '../../packing.ts'

const check = (file: string) =>
  checkEArk(file, { scripts: scripts.check, signal: new AbortController().signal })

/** Checks files as a package in a folder of that name. */
const checkFiles = async (files: PackageFiles, name = 'package-1') => {
  const place = await scratch()
  return check(writeFolder(path.join(place.folder, name), files))
}

const rulesIn = (findings: Finding[]) =>
  findings.flatMap(({ code, detail }) => (code === 'e-ark-rule' ? [detail.split(':')[0]] : []))

test.each(['2.2.0', '2.1.0'] as const)(
  'a package of version %s that breaks no rule is valid',
  async (version) => {
    const report = await checkFiles(eArkFiles({ version }))
    expect(report).toMatchObject({
      state: 'valid',
      format: 'e-ark-sip',
      version,
      form: 'folder',
      errors: 0,
      warnings: 0,
      findings: [],
      counts: { files: 2, folders: 1, bytes: 2 },
      algorithms: ['sha256'],
    })
    expect(report.info).toContainEqual(['SUBMISSIONAGREEMENT', 'SA-7'])
  },
)

test.each(brokenPackages)('a package that breaks %s', async (rule, files) => {
  const { findings, state } = await checkFiles(files())
  expect(rulesIn(findings)).toContain(rule)
  const level = levelOf(rule, '2.2.0')
  if (level === 'error') expect(state).toBe('invalid')
  expect(findings.find(({ detail }) => detail.split(':')[0] === rule)).toMatchObject({ level })
})
