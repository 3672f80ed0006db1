import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, expect, test, vi } from 'vitest'
import { killNow } from '../../../../electron/shell/kill-now.ts'
import { present } from '../../../support/present.ts'

afterEach(() => vi.restoreAllMocks())

test('a process is ended, and one that has ended already is nothing to complain of', async () => {
  const child = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'])
  const pid = present(child.pid)
  killNow(pid)
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
  expect(() => killNow(pid)).not.toThrow()
})

test('one that may not be ended is told of, with the system’s reason', () => {
  const refusal = Object.assign(new Error('kill EPERM'), { code: 'EPERM' })
  vi.spyOn(process, 'kill').mockImplementation(() => {
    throw refusal
  })
  expect(() => killNow(1)).toThrow(refusal)
})
