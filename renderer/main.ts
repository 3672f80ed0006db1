import { mount } from 'svelte'
import App from './App.svelte'
import { bridge } from './bridge.svelte.ts'
import { showMarks } from './parts/visible-marks.ts'
import './styles/fonts.css'
import './styles/tokens.css'
import './styles/base.css'

const report = (error: unknown) => {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  // Whoever cannot be told of an error cannot be told of this one either.
  bridge.settings.report({ message: message.slice(0, 5000) }).catch(() => undefined)
}
addEventListener('error', ({ error }) => report(error))
addEventListener('unhandledrejection', ({ reason }) => report(reason))

const target = document.getElementById('app')
showMarks(document.body)
// Written in another typeface first, everything would move when its own is there. One that cannot be had is
// done without.
await Promise.allSettled(
  ['Inter Variable', 'Source Serif 4 Variable'].map((family) => document.fonts.load(`1em '${family}'`)),
)
if (target) mount(App, { target })
