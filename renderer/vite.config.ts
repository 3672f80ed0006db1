import { svelte } from '@sveltejs/vite-plugin-svelte'
import path from 'node:path'
import { defineConfig } from 'vite'
import { bundledLicences } from '../electron/bundled-licences.ts'

const fileAt = (file: string) => path.join(import.meta.dirname, file)

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  server: { fs: { allow: [fileAt('..')] } },
  logLevel: 'warn',
  plugins: [svelte({ configFile: fileAt('svelte.config.js') }), bundledLicences('licences.json')],
  build: {
    outDir: fileAt('../out/renderer'),
    emptyOutDir: true,
    target: 'chrome152',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // One sheet of styles, in the order in which parts are imported, whichever page comes first.
    cssCodeSplit: false,
  },
})
