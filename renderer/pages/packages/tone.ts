import type { PackageWork } from '../../../electron/contract/packages.ts'

/** What is preserved or plainly named stays plain; work under way and failures carry a chip. */
export const toneOf: Record<PackageWork, 'plain' | 'warn' | 'bad'> = {
  none: 'plain',
  'under way': 'warn',
  failed: 'bad',
}
