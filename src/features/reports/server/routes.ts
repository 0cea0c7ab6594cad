import { notAllowed } from '#server/errors.ts'
import { exportListRoute } from '#server/http/csv/csv-export.ts'
import { implement } from '#server/http/route.ts'
import * as cases from '../admin-case-contract.ts'
import * as admin from '../admin-contract.ts'
import * as contract from '../contract.ts'
import { reportCsvColumns } from './report-csv.ts'
import { decideCase } from './service/cases/decide-case.ts'
import { mergeCases, splitReport } from './service/cases/merge-cases.ts'
import { listCases, readCase } from './service/cases/read-cases.ts'
import { createReport } from './service/create-report.ts'
import { listAllReports, listReports, reportList } from './service/read-reports.ts'
import { updateReport } from './service/update-report.ts'
import { updateReports } from './service/update-reports.ts'

export const routes = [
  implement(contract.listReports, ({ db, user }) => listReports(db, user.id)),
  implement(contract.createReport, ({ db, user, body: { userId, ...report } }) => {
    if (userId && userId !== user.id) notAllowed('You can only report problems for your own account')
    return createReport(db, user.id, report)
  }),
  implement(admin.listAllReports, ({ db, query }) => listAllReports(db, query)),
  exportListRoute(admin.exportReports, reportList, reportCsvColumns),
  implement(admin.updateReport, ({ db, user, params, body, requestId }) =>
    updateReport(db, params.reportId, body, { admin: user, requestId }),
  ),
  implement(admin.updateReports, ({ db, user, body, requestId }) =>
    updateReports(db, body, { admin: user, requestId }),
  ),
  implement(cases.listReportCases, ({ db }) => listCases(db)),
  implement(cases.getReportCase, ({ db, params }) => readCase(db, params.caseId)),
  implement(cases.decideReportCase, ({ db, user, params, body, requestId }) =>
    decideCase(db, params.caseId, body, { admin: user, requestId }),
  ),
  implement(cases.mergeReportCases, ({ db, user, params, body, requestId }) =>
    mergeCases(db, params.caseId, body.into, { admin: user, requestId }),
  ),
  implement(cases.splitReport, ({ db, user, params, requestId }) =>
    splitReport(db, params.reportId, { admin: user, requestId }),
  ),
]
