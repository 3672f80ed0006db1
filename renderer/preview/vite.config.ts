import path from 'node:path'
import { defineConfig } from 'vite'
import { bundledLicences } from '../../electron/bundled-licences.ts'

const fileAt = (file: string) => path.join(import.meta.dirname, file)

/**
 * The frame in which content of packages is drawn: one plain script, since a frame without an origin may load
 * no module.
 */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: fileAt('public'),
  logLevel: 'warn',
  plugins: [bundledLicences('preview-licences.json')],
  // Of a plain script nothing says where it came from.
  define: { 'import.meta': '{}' },
  build: {
    outDir: fileAt('../../out/renderer'),
    emptyOutDir: false,
    target: 'chrome152',
    lib: { entry: fileAt('preview.ts'), formats: ['iife'], name: 'preview', fileName: () => 'preview.js' },
  },
})
