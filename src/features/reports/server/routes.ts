import { notAllowed } from '#server/errors.ts'
import { implement } from '#server/http.ts'
import * as contract from '../contract.ts'
import * as reports from './service.ts'

export const routes = [
  implement(contract.listReports, ({ db, user }) => reports.listReports(db, user.id)),
  implement(contract.createReport, ({ db, user, body: { userId, ...report } }) => {
    if (userId && userId !== user.id) notAllowed('You can only report problems for your own account')
    return reports.createReport(db, user.id, report)
  }),
  implement(contract.listAllReports, ({ db, query }) => reports.listAllReports(db, query)),
  implement(contract.updateReport, ({ db, user, params, body, requestId }) => reports.updateReport(db, params.reportId, body, { admin: user, requestId })),
]
