import { exportRowsRoute } from '#server/http/csv/csv-export.ts'
import { implement } from '#server/http/route.ts'
import * as contract from '../admin-contract.ts'
import { filterVisitors } from '../rules.ts'
import { listActiveVisitors } from './service/list-active-visitors.ts'
import { visitorCsvColumns } from './visitor-csv.ts'

export const routes = [
  implement(contract.listActiveVisitors, (ctx) => listActiveVisitors(ctx)),
  implement(contract.countActiveVisitors, async (ctx) => ({ count: (await listActiveVisitors(ctx)).count })),
  exportRowsRoute(
    contract.exportVisitors,
    async function* (ctx, query) {
      yield filterVisitors((await listActiveVisitors(ctx)).visitors, query)
    },
    visitorCsvColumns,
  ),
]
