import { getOwnSubscription, quoteOrder as quoteOrderEndpoint } from '#features/subscriptions/contract.ts'
import { exportListRoute } from '#server/http/csv/csv-export.ts'
import { implement } from '#server/http/route.ts'
import { approverOf } from '#server/session/actor.ts'
import * as admin from '../admin-contract.ts'
import * as orders from '../admin-order-contract.ts'
import * as refunds from '../admin-refund-contract.ts'
import * as contract from '../contract.ts'
import { invoiceCsvColumns } from './invoice-csv.ts'
import { downloadInvoice } from './service/download-invoice.ts'
import { changeSubscription, quotePlanChange } from './service/orders/change-subscription.ts'
import { createCustomerOrder, previewCustomerOrder } from './service/orders/create-customer-order.ts'
import { createInvoice } from './service/orders/create-invoice.ts'
import { quoteOrder } from './service/orders/quote-order.ts'
import { useCredit } from './service/orders/use-credit.ts'
import { confirmPayments } from './service/payments/confirm-payments.ts'
import { decideInvoice } from './service/payments/decide-invoice.ts'
import { invoiceEvidence } from './service/payments/invoice-evidence.ts'
import { rejectPayment } from './service/payments/reject-payment.ts'
import { submitPayment } from './service/payments/submit-payment.ts'
import { updatePaymentLink } from './service/payments/update-payment-link.ts'
import { adminInvoices, invoiceDetail, invoiceList, invoicesOf, listAllInvoices } from './service/read-invoices.ts'
import { readOwnSubscription } from './service/read-own-subscription.ts'
import { decideRefund, invoiceRefund } from './service/refunds/decide-refund.ts'
import { downloadCreditNote } from './service/refunds/download-credit-note.ts'
import { creditNoteDetail, guaranteeDays, refundsOf } from './service/refunds/read-refunds.ts'
import { requestRefund } from './service/refunds/request-refund.ts'

export const routes = [
  implement(quoteOrderEndpoint, ({ db, user, query }) => quoteOrder(db, user.id, query.planId)),
  implement(contract.createInvoice, ({ db, user, body }) => createInvoice(db, user, body)),
  implement(contract.submitPayment, ({ db, user, body }) => submitPayment(db, user, body)),
  implement(contract.quotePlanChange, ({ db, user, query }) => quotePlanChange(db, user.id, query.planId)),
  implement(contract.changeSubscription, async ({ db, user, body }) => ({
    invoice: await changeSubscription(db, user, body.planId),
  })),
  implement(contract.setInvoiceCredit, ({ db, user, params, body }) =>
    useCredit(db, user.id, params.invoiceNumber, body.useCredit),
  ),
  implement(contract.listInvoices, ({ db, user }) => invoicesOf(db, user.id)),
  implement(contract.getInvoice, ({ db, user, params, requestId }) =>
    invoiceDetail(db, user, params.invoiceNumber, requestId),
  ),
  implement(contract.downloadInvoice, ({ db, user, params, requestId }) =>
    downloadInvoice(db, user, params.invoiceNumber, requestId),
  ),
  implement(getOwnSubscription, ({ db, user }) => readOwnSubscription(db, user.id)),
  implement(contract.listRefunds, async ({ db, user }) => refundsOf(db, user.id, await guaranteeDays(db))),
  implement(contract.requestRefund, ({ db, user, body, requestId }) => requestRefund(db, user, body, requestId)),
  implement(contract.getCreditNote, ({ db, user, params, requestId }) =>
    creditNoteDetail(db, user, params.creditNoteNumber, requestId),
  ),
  implement(contract.downloadCreditNote, ({ db, user, params, requestId }) =>
    downloadCreditNote(db, user, params.creditNoteNumber, requestId),
  ),
  implement(orders.quoteCustomerOrder, ({ db, params, query }) => quoteOrder(db, params.userId, query.planId)),
  implement(orders.previewCustomerOrder, ({ query, params, ...ctx }) =>
    previewCustomerOrder(ctx.db, params.userId, query.planId, approverOf(ctx)),
  ),
  implement(orders.createCustomerOrder, ({ body, params, ...ctx }) =>
    createCustomerOrder(ctx.db, params.userId, body, approverOf(ctx)),
  ),
  implement(admin.listAllInvoices, ({ db, query }) => listAllInvoices(db, query)),
  exportListRoute(admin.exportInvoices, invoiceList, invoiceCsvColumns),
  // Registered before `/:invoiceId`, which would match `to-confirm` and `confirm` as ids.
  implement(admin.getInvoicesToConfirm, ({ db, query }) =>
    adminInvoices(db, [...new Set(query.invoiceIds.split(',').map(Number))]),
  ),
  implement(admin.confirmPayments, ({ body, ...ctx }) => confirmPayments(ctx.db, body.invoices, approverOf(ctx))),
  implement(admin.updateInvoice, ({ params, body, ...ctx }) =>
    decideInvoice(ctx.db, params.invoiceId, body, approverOf(ctx)),
  ),
  implement(admin.getInvoiceEvidence, ({ params, query, ...ctx }) =>
    invoiceEvidence(ctx.db, params.invoiceId, approverOf(ctx), query.paidAt),
  ),
  implement(admin.rejectPayment, ({ params, body, ...ctx }) =>
    rejectPayment(ctx.db, params.invoiceId, body, approverOf(ctx)),
  ),
  implement(admin.updatePaymentLink, ({ params, body, ...ctx }) =>
    updatePaymentLink(ctx.db, params.invoiceId, body, approverOf(ctx)),
  ),
  implement(refunds.getInvoiceRefund, ({ params, ...ctx }) => invoiceRefund(ctx.db, params.invoiceId, approverOf(ctx))),
  implement(refunds.decideRefund, ({ params, body, ...ctx }) =>
    decideRefund(ctx.db, params.invoiceId, body, approverOf(ctx)),
  ),
]
