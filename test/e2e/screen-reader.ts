import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect } from './fixtures.ts'

/**
 * What the window has to be started with for Orca to find it: a display, ATK's bridge to AT-SPI, and the
 * whole tree from the start. A tree that grows when Orca asks for more of it counts as loaded anew, at a time
 * of its choosing, and Orca tells of the page then instead of what has the focus.
 */
export const forScreenReader = {
  env: { STAND_IN_HEADLESS: '0', ACCESSIBILITY_ENABLED: '1' },
  args: ['--force-renderer-accessibility'],
}

/** Orca loads this at its start: it reads no page unasked, and writes down what it says, without a voice. */
const customizations = (spoken: string) => `
import logging
from orca import settings
settings.sayAllOnLoad = False
settings.speechServerFactory = None
settings.speechFactoryModules = []
speech = logging.getLogger('speech')
speech.setLevel(logging.INFO)
speech.addHandler(logging.FileHandler(${JSON.stringify(spoken)}, encoding='utf-8'))
`

export interface ScreenReader {
  /** Presses keys as a person does, through the display: Orca hears them before the window. */
  press: (...keys: string[]) => void
  /** Types text. */
  type: (text: string) => void
  /** Waits until it has been said since the last key that was pressed. */
  hears: (words: string | RegExp) => Promise<void>
  stop: () => Promise<void>
}

/** Orca with an empty set of preferences, once it has told of the window with this title. */
export const startScreenReader = async (title: string): Promise<ScreenReader> => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lectern-orca-'))
  const spoken = path.join(folder, 'spoken')
  writeFileSync(path.join(folder, 'orca-customizations.py'), customizations(spoken))
  // On a display without a window manager nobody else gives the keys to a window.
  execFileSync('xdotool', ['search', '--sync', '--onlyvisible', '--name', title, 'windowfocus', '--sync'])
  const orca = spawn('orca', [`--user-prefs=${folder}`, '--disable=braille'], {
    stdio: 'ignore',
    env: { ...process.env, LANG: 'C.UTF-8' },
  })
  const ended = once(orca, 'exit')
  const said = () =>
    existsSync(spoken)
      ? [...readFileSync(spoken, 'utf8').matchAll(/SPEECH OUTPUT: '([^']*)'/g)].map(([, text]) => text ?? '')
      : []
  let heardBefore = 0
  const hears = (words: string | RegExp) =>
    expect
      .poll(() => said().slice(heardBefore).join(' ').replaceAll(/\s+/g, ' '), { timeout: 60_000 })
      .toMatch(words)
  const xdotool = (...args: string[]) => {
    heardBefore = said().length
    execFileSync('xdotool', args)
  }
  await hears(title)
  return {
    press: (...keys) => {
      xdotool('key', ...keys)
    },
    type: (text) => {
      xdotool('type', text)
    },
    hears,
    stop: async () => {
      // Asked to end, it waits for programs that do not answer.
      orca.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
