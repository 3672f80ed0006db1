import { spawnSync } from 'node:child_process'
import net from 'node:net'
import path from 'node:path'
import { expect, test } from 'vitest'
import { hasNoticeService } from '../../../../electron/shell/notice-service.ts'
import { scratch } from '../../../support/scratch.ts'

const hasCommand = (name: string) => spawnSync(name, ['help'], { stdio: 'ignore' }).error === undefined

const onBus = (address: string) => ({ ...process.env, DBUS_SESSION_BUS_ADDRESS: address })

test.skipIf(!hasCommand('gdbus'))('a bus that says nothing has no service of notices', async () => {
  using place = scratch()
  const socket = path.join(place.folder, 'bus')
  const callers: net.Socket[] = []
  const silent = net.createServer((caller) => callers.push(caller)).listen(socket)
  expect(await hasNoticeService(onBus(`unix:path=${socket}`))).toBe(false)
  for (const caller of callers) caller.destroy()
  silent.close()
})

test.skipIf(!hasCommand('gdbus'))('where there is no bus there is no service of notices', async () => {
  using place = scratch()
  expect(await hasNoticeService(onBus(`unix:path=${path.join(place.folder, 'none')}`))).toBe(false)
})

test('where nobody can be asked there may be a service of notices', async () => {
  using place = scratch()
  expect(await hasNoticeService({ PATH: place.folder })).toBe(true)
})

test.skipIf(process.env['LECTERN_NOTICES'] !== 'yes')('a desktop with notices has the service', async () => {
  expect(await hasNoticeService()).toBe(true)
})
