import { svelte } from '@sveltejs/vite-plugin-svelte'
import path from 'node:path'
import { defineConfig, type Plugin } from 'vite'
import { bundledLicences } from '../electron/bundled-licences.ts'

const fileAt = (file: string) => path.join(import.meta.dirname, file)

/** Typefaces that every page is written in: they are asked for with the page, and not once its code runs. */
const preloadFonts: Plugin = {
  name: 'preload-fonts',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((file) => /-latin-wght-normal-[^/]+\.woff2$/.test(file))
        .map((file) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `./${file}` },
          injectTo: 'head',
        })),
  },
}

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  server: { fs: { allow: [fileAt('..')] } },
  logLevel: 'warn',
  plugins: [
    svelte({ configFile: fileAt('svelte.config.js') }),
    bundledLicences('licences.json'),
    preloadFonts,
  ],
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
