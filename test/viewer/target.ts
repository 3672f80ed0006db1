import type { Drawn, openFrames, Source } from './frames.ts'
import type { Specimen } from './specimens.ts'

/** The page ends a frame that does not answer for so long. */
const longestMs = 10_000
const address = 'https://content-app.invalid/key'

/** A frame that is given one file after the other, and what must not happen in it. */
export const openTarget = async (
  frames: Pick<Awaited<ReturnType<typeof openFrames>>, 'show'>,
  { name, bytes }: Specimen,
  { isGuarded = true, patienceMs = longestMs }: { isGuarded?: boolean; patienceMs?: number } = {},
) => {
  const source: Source & { content: Buffer } = {
    name,
    bytes: bytes.length,
    content: bytes,
    read: ({ first, last }) => Promise.resolve(source.content.subarray(first, last + 1)),
  }
  const drawn = await frames.show(source, { isGuarded })
  const page = drawn.frame.page()
  const happened: string[] = []
  page.on('dialog', (dialog) => {
    happened.push(`dialog ${dialog.message()}`)
    dialog.dismiss().catch(() => undefined)
  })
  page.on('popup', (popup) => happened.push(`popup ${popup.url()}`))
  page.on('framenavigated', (frame) => {
    if (!/^about:|-app\.invalid\//.test(frame.url())) happened.push(`went to ${frame.url()}`)
  })
  const began = drawn.frame.url()
  return {
    drawn,
    /** What happened that must not: nothing, if all is well. */
    show: async (content: Buffer): Promise<string[]> => {
      source.content = content
      source.bytes = content.length
      const pending: Drawn['tools'] = []
      drawn.tools = pending
      drawn.trouble = undefined
      const done = drawn.until((now) => now.tools !== pending || now.trouble !== undefined)
      await drawn.ask({
        ask: 'show',
        address,
        name,
        bytes: content.length,
        language: 'en',
        accent: '',
        looked: '',
      })
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<string>((end) => {
        timer = setTimeout(() => end('hung'), patienceMs)
      })
      const isLate = await Promise.race([done.then(() => ''), late])
      clearTimeout(timer)
      if (isLate !== '') return [isLate]
      const hasRun = await drawn.frame.evaluate(
        () => 'ran' in window || 'ran' in document.documentElement.dataset,
      )
      return [
        ...happened,
        ...drawn.requests,
        ...(hasRun ? ['a script ran'] : []),
        ...(drawn.frame.url() === began ? [] : ['the frame went elsewhere']),
      ]
    },
  }
}
