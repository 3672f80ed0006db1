import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { settings } from '../../../../electron/features/settings.ts'
import { openSettings } from '../../../../electron/settings/settings.ts'
import { scratch } from '../../../support/scratch.ts'

test('a bad setting falls back alone, and keys of a newer version are kept', async () => {
  using place = scratch()
  const file = path.join(place.folder, 'settings.json')
  writeFileSync(file, JSON.stringify({ theme: 'pink', language: 'sv', somethingNew: 1 }))
  const settings = openSettings(file)
  const usual = {
    theme: 'system',
    language: 'system',
    notices: true,
    quiet: false,
    closeToTray: true,
    startWithSystem: false,
    updates: false,
    proxy: 'system',
    proxyAddress: '',
    proxyScript: '',
  }
  expect(settings.read()).toEqual({ ...usual, language: 'sv' })
  await Promise.all([settings.change({ theme: 'dark' }), settings.change({ notices: false })])
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    theme: 'dark',
    language: 'sv',
    somethingNew: 1,
    notices: false,
  })
  writeFileSync(file, '{half')
  expect(openSettings(file).read()).toEqual(usual)
})

test('what cannot be written is not chosen either, and the next choice does not bring it along', async () => {
  using place = scratch()
  const [folder, aside] = [path.join(place.folder, 'desk'), path.join(place.folder, 'aside')]
  mkdirSync(folder)
  const chosen = openSettings(path.join(folder, 'settings.json'))
  await chosen.change({ language: 'sv' })
  renameSync(folder, aside)
  writeFileSync(folder, '')
  await expect(chosen.change({ quiet: true })).rejects.toThrow()
  expect(chosen.read()).toMatchObject({ language: 'sv', quiet: false })
  rmSync(folder)
  renameSync(aside, folder)
  await chosen.change({ theme: 'dark' })
  const kept: unknown = JSON.parse(readFileSync(path.join(folder, 'settings.json'), 'utf8'))
  expect(kept).toEqual({ language: 'sv', theme: 'dark' })
})

test('settings that the disk did not give at the start are not written over', async () => {
  using place = scratch()
  const file = path.join(place.folder, 'settings.json')
  symlinkSync(file, file)
  const chosen = openSettings(file)
  expect(chosen.read().language).toBe('system')
  await expect(chosen.change({ theme: 'dark' })).rejects.toThrow('ELOOP')
  rmSync(file)
  writeFileSync(file, JSON.stringify({ language: 'sv', ofLater: 1 }))
  expect(await chosen.change({ theme: 'dark' })).toMatchObject({ language: 'sv', theme: 'dark' })
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ language: 'sv', ofLater: 1, theme: 'dark' })
})

test('a system that does not start the desk holds up no other choice, and that is not kept as chosen', async () => {
  using place = scratch()
  const chosen = openSettings(path.join(place.folder, 'settings.json'))
  await chosen.change({ startWithSystem: true })
  const autostart = path.join(place.folder, 'autostart', 'lectern.desktop')
  const applied: string[] = []
  const { change } = settings({
    read: chosen.read,
    change: chosen.change,
    startWithSystem: () => writeFileSync(autostart, ''),
    programState: () => ({
      systemLanguage: 'en',
      version: '',
      vault: '',
      dataFolder: '',
      recovered: null,
      noticesBlocked: '',
    }),
    applied: ({ settings: { theme, startWithSystem } }) => applied.push(`${theme} ${startWithSystem}`),
    testNotice: () => Promise.resolve(true),
    showFolder: () => undefined,
    report: () => undefined,
  })
  await change({ theme: 'dark' })
  await expect(change({ startWithSystem: false })).rejects.toMatchObject({
    failure: { kind: 'disk', trouble: 'gone', path: autostart },
  })
  expect(applied).toEqual(['dark true'])
  expect(chosen.read().startWithSystem).toBe(true)
})
