import type { PackageReport } from '../../../contract/findings.ts'
import type { CheckOptions } from '../../format.ts'
import { eArkSip } from '../layout.ts'

/** Says of every path that it is no E-ARK package: how one is checked is not there yet. */
export const checkEArk = (path: string, _options: CheckOptions): Promise<PackageReport> =>
  Promise.resolve({
    path,
    format: eArkSip,
    form: 'none',
    version: '',
    state: 'not-a-package',
    errors: 1,
    warnings: 0,
    findings: [{ level: 'error', code: 'not-a-package', file: '', line: null, detail: '' }],
    more: [],
    counts: { files: 0, folders: 0, bytes: 0 },
    algorithms: [],
    info: [],
  })
