import { implement, type Route } from '#server/http/route.ts'
import * as admin from '../admin-contract.ts'
import { listCustomerEarlierInvoices } from '../admin-customer-contract.ts'
import * as contract from '../contract.ts'
import { applyBatch } from './service/apply-batch.ts'
import { createImport, type Importer } from './service/create-import.ts'
import { startEmails } from './service/email-customers.ts'
import { listEarlierInvoices } from './service/list-earlier-invoices.ts'
import { removeImport } from './service/remove-import.ts'
import { listRows, listRuns, readRun } from './service/runs.ts'
import { undoBatch } from './service/undo-batch.ts'

const importer = ({ user, requestId }: { user: { id: number }; requestId: string }): Importer => ({
  adminId: user.id,
  requestId,
})

export const routes: Route[] = [
  implement(admin.createImport, ({ body, query, ...ctx }) =>
    createImport(ctx, { ...query, bytes: body }, importer(ctx)),
  ),
  implement(admin.listImports, ({ db }) => listRuns(db)),
  implement(admin.getImport, ({ db, params }) => readRun(db, params.runId)),
  implement(admin.listImportRows, ({ db, params, query }) => listRows(db, params.runId, query)),
  implement(admin.applyImport, ({ params, ...ctx }) => applyBatch(ctx, params.runId, importer(ctx))),
  implement(admin.undoImport, ({ params, ...ctx }) => undoBatch(ctx.db, params.runId, importer(ctx))),
  implement(admin.emailImport, ({ params, ...ctx }) => startEmails(ctx.db, params.runId, importer(ctx))),
  implement(admin.removeImport, ({ params, ...ctx }) => removeImport(ctx.db, params.runId, importer(ctx))),
  implement(contract.listEarlierInvoices, ({ db, user, query }) => listEarlierInvoices(db, user.id, query)),
  implement(listCustomerEarlierInvoices, ({ db, params, query }) => listEarlierInvoices(db, params.userId, query)),
]
