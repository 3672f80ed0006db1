import type { CdpSession } from '../chromium/cdp.ts'

/** A key that was pressed in a frame, which lies in so many others. */
export interface FrameKey {
  depth: number
  input: { type: 'keyDown'; key: string; alt: boolean; control: boolean; meta: boolean; shift: boolean }
}

/** Runs in a world of its own in every frame, those too in which nothing of theirs may run. */
function keysWorld(name: string) {
  const tell = (globalThis as unknown as Record<string, (text: string) => void>)[name]
  let depth = 0
  for (let at: Window = window; at !== at.parent; at = at.parent) depth += 1
  window.addEventListener(
    'keydown',
    ({ isTrusted, key, altKey: alt, ctrlKey: control, metaKey: meta, shiftKey: shift }) => {
      if (isTrusted)
        tell?.(JSON.stringify({ depth, input: { type: 'keyDown', key, alt, control, meta, shift } }))
    },
    true,
  )
}

/** Hears the keys that are pressed in the frames of a session, which Chromium tells nobody. */
export const hearKeys = (session: CdpSession, name: string, hear: (key: FrameKey) => void) => {
  session.on('Runtime.bindingCalled', (called: { name: string; payload: string }) => {
    if (called.name === name) hear(JSON.parse(called.payload) as FrameKey)
  })
  return Promise.all([
    session.send('Runtime.enable'),
    session.send('Runtime.addBinding', { name, executionContextName: name }),
    session.send('Page.addScriptToEvaluateOnNewDocument', {
      worldName: name,
      source: `(${String(keysWorld)})(${JSON.stringify(name)})`,
    }),
  ])
}

interface FocusedFrame {
  parent: FocusedFrame | null
}

/** A frame that lies in so many others. */
export const frameAt = (depth: number): FocusedFrame => ({ parent: depth > 0 ? frameAt(depth - 1) : null })
