import path from 'node:path'
import { defineConfig } from 'vite'
import { bundledLicences } from '../../electron/bundled-licences.ts'

const fileAt = (file: string) => path.join(import.meta.dirname, file)

/**
 * The frame in which content of packages is drawn. Each kind of file is a piece of its own, which is loaded
 * when there is such a file to draw.
 */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: false,
  logLevel: 'warn',
  plugins: [bundledLicences('licences.json')],
  build: {
    outDir: fileAt('../../out/viewer'),
    emptyOutDir: true,
    target: 'chrome152',
    modulePreload: false,
    assetsInlineLimit: 0,
    rolldownOptions: { input: fileAt('viewer.html') },
  },
})
