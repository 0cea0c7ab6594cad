import { exportRowsRoute } from '#server/http/csv-export.ts'
import { implement } from '#server/http/route.ts'
import * as contract from '../contract.ts'
import { chosenVisitors } from '../rules.ts'
import { listActiveVisitors } from './service/list-active-visitors.ts'
import { visitorCells } from './visitor-csv.ts'

export const routes = [
  implement(contract.listActiveVisitors, (house) => listActiveVisitors(house)),
  exportRowsRoute(
    contract.exportVisitors,
    async function* (house, query) {
      yield chosenVisitors((await listActiveVisitors(house)).visitors, query)
    },
    visitorCells,
  ),
]
