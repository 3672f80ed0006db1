import { dataOfThread } from '../../../common/worker-data.ts'
import { answerRanges } from '../../check-ranges.ts'
import { checkLines, type FoundInLines, type LinesToCheck } from './check-lines.ts'

await answerRanges<FoundInLines>((take) => checkLines(dataOfThread<LinesToCheck>(), take))
