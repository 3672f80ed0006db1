import { svelte } from '@sveltejs/vite-plugin-svelte'
import path from 'node:path'
import { defineConfig } from 'vite'

const at = (file: string) => path.join(import.meta.dirname, file)

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  server: { fs: { allow: [at('..')] } },
  logLevel: 'warn',
  plugins: [svelte({ configFile: at('svelte.config.js') })],
  build: {
    outDir: at('../out/renderer'),
    emptyOutDir: true,
    target: 'chrome152',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
})
