import js from '@eslint/js'
import svelte from 'eslint-plugin-svelte'
import globals from 'globals'
import path from 'node:path'
import ts from 'typescript-eslint'
import { onward } from './lint/onward.js'
import { tableLookup } from './lint/table-lookup.js'

const root = path.resolve(import.meta.dirname, '..')

/** What a name is not: a noun says more. What is "it"? */
const unnamed = 'it|own|here|hand|foreman|together|beyond|look|able|reins'

const restrictedSyntax = [
  {
    selector: 'ObjectExpression > SpreadElement > ObjectExpression',
    message: 'Write the properties out: a spread literal hides properties that do not exist from the types.',
  },
  {
    selector: 'ArrayExpression > SpreadElement > ArrayExpression',
    message: 'Write the elements out, one a line where they are many.',
  },
]

/** Globals that a part has not: `document` means nothing in electron/, `process` nothing in renderer/. */
const without = (names) => ({ 'no-restricted-globals': ['error', ...names] })

export default ts.config(
  { ignores: ['**/node_modules', '**/out', '**/dist', '**/test-results'] },
  {
    files: ['**/*.{ts,js,mjs,svelte}'],
    extends: [
      js.configs.recommended,
      ...ts.configs.recommendedTypeChecked,
      ...ts.configs.stylisticTypeChecked,
    ],
    languageOptions: {
      globals: { ...globals.node, ...globals.browser },
      parserOptions: {
        projectService: {
          allowDefaultProject: ['test/*.js', 'test/lint/*.js', 'test/setup/*.mjs', 'renderer/*.js'],
        },
        tsconfigRootDir: root,
        extraFileExtensions: ['.svelte'],
      },
    },
    rules: {
      'no-undef': 'off',
      // Prettier breaks neither texts nor comments.
      'max-len': [
        'error',
        {
          code: 110,
          ignoreUrls: true,
          ignoreRegExpLiterals: true,
          ignorePattern: '^\\s*(await )?(test|describe)[.(]|eslint-disable',
        },
      ],
      eqeqeq: 'error',
      'prefer-template': 'error',
      'no-empty-pattern': 'off',
      'no-restricted-syntax': ['error', ...restrictedSyntax],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-floating-promises': ['error', { ignoreVoid: true }],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowNullish: true },
      ],
      // An empty text is as good as none; `||` says that, and index signatures keep their brackets.
      '@typescript-eslint/prefer-nullish-coalescing': 'off',
      '@typescript-eslint/dot-notation': 'off',
      '@typescript-eslint/non-nullable-type-assertion-style': 'off',
      '@typescript-eslint/no-empty-function': 'off',
      '@typescript-eslint/class-literal-property-style': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  ...svelte.configs.recommended,
  {
    files: ['**/*.svelte'],
    rules: {
      // The types that snippets and generics of components carry are known to svelte-check alone.
      ...Object.fromEntries(
        ['assignment', 'argument', 'call', 'member-access', 'return'].map((kind) => [
          `@typescript-eslint/no-unsafe-${kind}`,
          'off',
        ]),
      ),
      '@typescript-eslint/no-redundant-type-constituents': 'off',
      // The rule of names below knows nothing of what blocks of a template declare.
      'no-restricted-syntax': [
        'error',
        ...restrictedSyntax,
        ...['Identifier', 'ObjectPattern > Property > Identifier.value'].map((name) => ({
          selector: `:matches(SvelteEachBlock, SvelteSnippetBlock) > ${name}[name=/^(${unnamed}|at)$/]`,
          message: 'Name it after what it holds.',
        })),
      ],
      'prefer-const': 'off',
      'svelte/prefer-const': ['error', { destructuring: 'all' }],
      'svelte/no-navigation-without-resolve': 'off',
    },
  },
  { files: ['**/*.svelte', '**/*.svelte.ts'], languageOptions: { parserOptions: { parser: ts.parser } } },
  {
    // What a person orders runs by a command, what main begins in the background says who hears of its
    // failure; nothing is dropped.
    files: ['electron/**/*.ts', 'renderer/**/*.{ts,svelte}'],
    rules: { '@typescript-eslint/no-floating-promises': ['error', { ignoreVoid: false }] },
  },
  {
    files: ['electron/**/*.ts', 'renderer/**/*.{ts,svelte}'],
    rules: { 'max-lines-per-function': ['error', { max: 80, IIFEs: true }] },
  },
  {
    files: ['electron/**/*.ts', 'renderer/**/*.{ts,svelte}'],
    rules: {
      '@typescript-eslint/naming-convention': [
        'error',
        {
          selector: [
            'variable',
            'parameter',
            'function',
            'typeProperty',
            'typeMethod',
            'objectLiteralProperty',
            'objectLiteralMethod',
            'classProperty',
            'classMethod',
          ],
          format: null,
          custom: { regex: `^(${unnamed})$`, match: false },
        },
        {
          // A property may be called so, where it is the time of something.
          selector: ['variable', 'parameter', 'function'],
          format: null,
          custom: { regex: '^at$', match: false },
        },
      ],
    },
  },
  {
    // What comes from disk, wire or a person is parsed; an assertion that stays says who warrants the type.
    files: ['electron/**/*.ts', 'renderer/**/*.{ts,svelte}'],
    rules: { '@typescript-eslint/no-unsafe-type-assertion': 'error' },
  },
  {
    files: ['electron/**/*.ts', 'renderer/**/*.{ts,svelte}'],
    plugins: { desk: { rules: { 'table-lookup': tableLookup } } },
    rules: { 'desk/table-lookup': 'error' },
  },
  {
    files: ['renderer/**/*.{ts,svelte}'],
    // What lies in packages is drawn apart: it leads nobody out of its frame.
    ignores: ['renderer/viewer/**'],
    plugins: { place: { rules: { onward } } },
    rules: { 'place/onward': 'error' },
  },
  { files: ['electron/**/*.ts'], rules: without(['document', 'window', 'localStorage', 'navigator']) },
  {
    files: ['renderer/**/*.{ts,svelte}'],
    ignores: ['renderer/vite.config.ts'],
    rules: without(['process', 'Buffer', 'require', 'fetch', 'XMLHttpRequest', 'WebSocket', 'localStorage']),
  },
  { files: ['**/*.{js,mjs}'], extends: [ts.configs.disableTypeChecked] },
)
