import js from '@eslint/js'
import svelte from 'eslint-plugin-svelte'
import globals from 'globals'
import path from 'node:path'
import ts from 'typescript-eslint'

const root = path.resolve(import.meta.dirname, '..')

/** Names of the other house's globals: `document` has no meaning in electron/, `process` none in renderer/. */
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
        projectService: { allowDefaultProject: ['test/*.js', 'test/setup/*.mjs', 'renderer/*.js'] },
        tsconfigRootDir: root,
        extraFileExtensions: ['.svelte'],
      },
    },
    rules: {
      'no-undef': 'off',
      eqeqeq: 'error',
      'prefer-template': 'error',
      'no-empty-pattern': 'off',
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ObjectExpression > SpreadElement > ObjectExpression',
          message:
            'Write the properties out: a spread literal hides properties that do not exist from the types.',
        },
        {
          selector: 'ArrayExpression > SpreadElement > ArrayExpression',
          message: 'Write the elements out, one a line where they are many.',
        },
      ],
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
      'prefer-const': 'off',
      'svelte/prefer-const': ['error', { destructuring: 'all' }],
      'svelte/no-navigation-without-resolve': 'off',
    },
  },
  { files: ['**/*.svelte', '**/*.svelte.ts'], languageOptions: { parserOptions: { parser: ts.parser } } },
  { files: ['electron/**/*.ts'], rules: without(['document', 'window', 'localStorage', 'navigator']) },
  {
    files: ['renderer/**/*.{ts,svelte}'],
    ignores: ['renderer/vite.config.ts'],
    rules: without(['process', 'Buffer', 'require', 'fetch', 'XMLHttpRequest', 'WebSocket', 'localStorage']),
  },
  { files: ['**/*.{js,mjs}'], extends: [ts.configs.disableTypeChecked] },
)
