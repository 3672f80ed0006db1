import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { followStart } from '../../../../electron/shell/start-arguments.ts'

const isHidden = (argv: string[]) => argv.includes('--hidden')
const link = 'lectern://archive/package/1'
const other = 'lectern://archive/package/2'

test('a link that a second start brings while the first is under way is followed, and not lost by a third', () => {
  const app = new EventEmitter()
  const followed = followStart(app, ['lectern'], isHidden)
  expect(followed()).toEqual(['lectern'])
  app.emit('second-instance', {}, ['lectern', '--allow-file-access', link])
  app.emit('second-instance', {}, ['lectern'])
  expect(followed()).toEqual(['lectern', '--allow-file-access', link])
  let isPrevented = false
  app.emit('open-url', { preventDefault: () => (isPrevented = true) }, other)
  expect([followed(), isPrevented]).toEqual([[other], true])
})

test('a window that somebody wants is shown, whichever of two starts was to have none', () => {
  const [shown, hidden] = [['lectern'], ['lectern', '--hidden']]
  for (const [first, second] of [
    [shown, hidden],
    [hidden, shown],
  ] as const) {
    const app = new EventEmitter()
    const followed = followStart(app, first, isHidden)
    app.emit('second-instance', {}, second)
    expect(followed()).toBe(shown)
  }
})
