import { serveRequests } from '../../../common/serve-requests.ts'
import { tableCells } from './table-cells.ts'

serveRequests(tableCells)
