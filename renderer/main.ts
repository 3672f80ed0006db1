import { mount } from 'svelte'
import App from './App.svelte'
import { bridge } from './bridge.svelte.ts'
import { showMarks } from './parts/visible-marks.ts'
import { session } from './state/session.svelte.ts'
import { settings } from './state/settings.svelte.ts'
import { loadViews } from './state/views.svelte.ts'
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

/** Who is at the desk, and how the lists of the archive were shown that is shown first. */
const startSession = async () => {
  await session.start()
  const archive = session.status?.account?.archive
  if (archive !== undefined) await loadViews(archive)
}

// What the first page is drawn from is asked for while its typefaces come. Written in another typeface first,
// everything would move when its own is there. What cannot be had is done without.
await Promise.allSettled([
  startSession(),
  settings.start(),
  ...['Inter Variable', 'Source Serif 4 Variable'].map((family) => document.fonts.load(`1em '${family}'`)),
])
if (target) mount(App, { target })
