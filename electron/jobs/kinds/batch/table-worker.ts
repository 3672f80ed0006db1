import { serveRequests } from '../../../common/serve-requests.ts'
import { readCells } from './table-cells.ts'

serveRequests(readCells)
