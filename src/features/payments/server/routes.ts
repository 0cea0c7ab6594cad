import { setIdentifyingCents as setCents } from '#features/billing/server/service/orders/set-identifying-cents.ts'
import { implement } from '#server/http/route.ts'
import { approverOf } from '#server/session/actor.ts'
import * as automation from '../admin-automation-contract.ts'
import * as admin from '../admin-contract.ts'
import { invoicePayments, markRefundSent, recordPayment } from '../admin-record-contract.ts'
import { getPaymentProgress, setIdentifyingCents } from '../contract.ts'
import { readAutomation } from './service/automation/read-automation.ts'
import { setAutomation } from './service/automation/set-automation.ts'
import { decidePayment } from './service/decide-payment.ts'
import { markRefundSent as recordSent } from './service/mark-refund-sent.ts'
import { previewPayment } from './service/preview-payment.ts'
import { paymentsOfInvoice, readPayment } from './service/read-payment.ts'
import { readPayments } from './service/read-payments.ts'
import { readProgress } from './service/read-progress.ts'
import { recordTyped } from './service/record-payment.ts'
import { undoPayment } from './service/undo-payment.ts'

export const routes = [
  implement(automation.getAutomation, ({ db }) => readAutomation(db)),
  implement(automation.updateAutomation, ({ user, body, caller, requestId, ...ctx }) =>
    setAutomation(ctx, user, body, { caller, requestId }),
  ),
  implement(getPaymentProgress, ({ db, user, params }) => readProgress(db, user, params.invoiceNumber)),
  implement(setIdentifyingCents, ({ db, user, params, body }) =>
    setCents(db, user.id, params.invoiceNumber, body.paymentMethod),
  ),
  implement(admin.listPayments, ({ db, query }) => readPayments(db, query)),
  implement(recordPayment, ({ body, ...ctx }) => recordTyped(ctx.db, body, approverOf(ctx))),
  implement(admin.getPayment, ({ db, params, query }) => readPayment(db, params.paymentId, query.invoiceId)),
  implement(admin.previewPayment, ({ params, body, ...ctx }) =>
    previewPayment(ctx.db, params.paymentId, body, approverOf(ctx)),
  ),
  implement(admin.decidePayment, ({ params, body, ...ctx }) =>
    decidePayment(ctx.db, params.paymentId, body, approverOf(ctx)),
  ),
  implement(admin.undoPayment, ({ params, body, ...ctx }) =>
    undoPayment(ctx.db, params.paymentId, body.version, approverOf(ctx)),
  ),
  implement(markRefundSent, ({ params, body, ...ctx }) => recordSent(ctx.db, params.paymentId, body, approverOf(ctx))),
  implement(invoicePayments, ({ db, params }) => paymentsOfInvoice(db, params.invoiceId)),
]
