import { implement } from '#server/http.ts'
import * as contract from '../contract.ts'
import { changeSubscription, quotePlanChange } from './service/change-subscription.ts'
import { createInvoice } from './service/create-invoice.ts'
import { decideInvoice } from './service/decide-invoice.ts'
import { downloadInvoice } from './service/download-invoice.ts'
import { invoiceDetail, invoicesOf, listAllInvoices } from './service/read-invoices.ts'
import { submitPayment } from './service/submit-payment.ts'
import { useCredit } from './service/use-credit.ts'

export const routes = [
  implement(contract.createInvoice, ({ db, user, body }) => createInvoice(db, user, body)),
  implement(contract.submitPayment, ({ db, user, body }) => submitPayment(db, user, body)),
  implement(contract.quotePlanChange, ({ db, user, query }) => quotePlanChange(db, user.id, query.planId)),
  implement(contract.changeSubscription, async ({ db, user, body }) => ({ invoice: await changeSubscription(db, user, body.planId) })),
  implement(contract.setInvoiceCredit, ({ db, user, params, body }) => useCredit(db, user.id, params.invoiceNumber, body.useCredit)),
  implement(contract.listInvoices, ({ db, user }) => invoicesOf(db, user.id)),
  implement(contract.getInvoice, ({ db, user, params, requestId }) => invoiceDetail(db, user, params.invoiceNumber, requestId)),
  implement(contract.downloadInvoice, ({ db, user, params, requestId }) => downloadInvoice(db, user, params.invoiceNumber, requestId)),
  implement(contract.listAllInvoices, ({ db, query }) => listAllInvoices(db, query)),
  implement(contract.updateInvoice, ({ db, config, user, params, body, requestId }) =>
    decideInvoice(db, params.invoiceId, body, { admin: user, requestId, selfApproval: config.selfApproval === 'allow' }),
  ),
]
