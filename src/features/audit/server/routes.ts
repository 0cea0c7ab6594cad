import { exportListRoute } from '#server/http/csv/csv-export.ts'
import { implement } from '#server/http/route.ts'
import * as contract from '../admin-contract.ts'
import { auditCsvColumns } from './audit-csv.ts'
import { auditList, listAuditLog, listAuditWords } from './service.ts'

export const routes = [
  implement(contract.listAuditLog, ({ db, query }) => listAuditLog(db, query)),
  implement(contract.listAuditWords, ({ db }) => listAuditWords(db)),
  exportListRoute(contract.exportAuditLog, auditList, auditCsvColumns),
]
