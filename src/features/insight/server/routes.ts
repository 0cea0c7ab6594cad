import { exportRowsRoute } from '#server/http/csv/csv-export.ts'
import { implement } from '#server/http/route.ts'
import * as contract from '../admin-contract.ts'
import * as csv from './insight-csv.ts'
import { readInsight } from './read-insight.ts'

export const routes = [
  implement(contract.readInsight, ({ db, query }) => readInsight(db, query.period)),
  exportRowsRoute(contract.exportInsightDays, csv.dayRows, csv.dayColumns),
  exportRowsRoute(contract.exportInsightChurn, csv.churnRows, csv.churnColumns),
  exportRowsRoute(contract.exportInsightTrials, csv.dayRows, csv.trialColumns),
  exportRowsRoute(contract.exportInsightRenewals, csv.renewalRows, csv.renewalColumns),
  exportRowsRoute(contract.exportInsightCohorts, csv.cohortRows, csv.cohortColumns),
]
