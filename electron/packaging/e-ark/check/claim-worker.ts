import type { Finding } from '../../../contract/findings.ts'
import { dataOfThread } from '../../../common/worker-data.ts'
import { answerRanges, type FoundInRange } from '../../check-ranges.ts'
import { checkClaims, type ClaimsToCheck } from './claims.ts'

await answerRanges<FoundInRange<Finding>>((take) => checkClaims(dataOfThread<ClaimsToCheck>(), take))
