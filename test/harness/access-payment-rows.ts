import { defaultMailbox } from '#features/receipts/mailbox-rules.ts'
import { adminOnly, type Row, send } from './access-row.ts'

const typedPayment = () => ({
  requestKey: crypto.randomUUID(),
  rail: 'cash',
  amount: 100,
  payerName: 'Pat Doe',
  payerHandle: '',
  note: '',
  paidAt: '2026-11-20',
  providerReference: '',
})

const mailboxServer = { host: 'mail.invalid', username: 'pay@shop.example' }

/** The endpoints of the payment desk, its statements, mailbox and processors. */
export const paymentRows: Record<string, Row> = {
  'GET /api/admin/payment-automation': adminOnly(),
  'PUT /api/admin/payment-automation': adminOnly(
    send({
      ...{ mode: 'off', version: 1, rails: [], maxCents: 1 },
      ...{ perDay: 1, perDayCents: 1, perPayerDay: 1, perCustomerDay: 1 },
    }),
  ),
  'GET /api/admin/payments': adminOnly(),
  'POST /api/admin/payments': adminOnly({ body: typedPayment }),
  'GET /api/admin/payments/:paymentId': adminOnly(),
  'POST /api/admin/payments/:paymentId/preview': adminOnly(send({ action: 'not_ours', version: 1 })),
  'POST /api/admin/payments/:paymentId/decision': adminOnly(send({ action: 'set_aside', version: 9 }, { admin: 409 })),
  'POST /api/admin/payments/:paymentId/undo': adminOnly(send({ version: 9 }, { admin: 409 })),
  'POST /api/admin/payments/:paymentId/refund-sent': adminOnly(send({ version: 9, reference: '#1' }, { admin: 409 })),
  'GET /api/admin/invoices/:invoiceId/payments': adminOnly(),
  // The body of these tests is JSON, which is refused after the access check.
  'POST /api/admin/statements/preview': adminOnly({ query: () => '?name=a.csv', admin: 415 }),
  'POST /api/admin/statements': adminOnly({ query: () => '?name=a.csv&expectedNew=1', admin: 415 }),
  'GET /api/admin/statements': adminOnly(),
  'POST /api/admin/statements/:statementId/withdraw': adminOnly(),
  'GET /api/admin/mailbox': adminOnly(),
  'GET /api/admin/mailbox/settings': adminOnly(),
  'PUT /api/admin/mailbox/settings': adminOnly(
    send({ version: 'old', value: { ...defaultMailbox, password: '' } }, { admin: 409 }),
  ),
  'POST /api/admin/mailbox/test': adminOnly(
    send({ ...mailboxServer, port: 993, tls: 'implicit', folder: 'INBOX', ca: '', password: 'x' }),
  ),
  'POST /api/admin/mailbox/connect': adminOnly(send({}, { admin: 409 })),
  'POST /api/admin/mailbox/connect/finish': adminOnly(send({ state: 'x', code: 'x' }, { admin: 409 })),
  'POST /api/admin/mailbox/sample': adminOnly({ admin: 415 }),
  'GET /api/admin/mailbox/emails': adminOnly(),
  'POST /api/admin/mailbox/emails/:emailId/review': adminOnly(),
  'POST /api/admin/mailbox/emails/:emailId/open': adminOnly(send({}, { admin: 409 })),
  'POST /api/admin/mailbox/emails/:emailId/read': adminOnly(send({}, { admin: 409 })),
  'GET /api/admin/processors': adminOnly(),
  'PUT /api/admin/processors/:processor': adminOnly(
    send({ version: 9, enabled: false, address: '', storeId: '', apiKey: '' }, { admin: 409 }),
  ),
  'POST /api/admin/processors/:processor/secrets': adminOnly(
    send({ secret: 'whsec_of_the_access_test', currentPassword: 'wrong' }, { admin: 403 }),
  ),
  'DELETE /api/admin/processors/:processor/secrets/:secretId': adminOnly({ admin: 404 }),
  'POST /api/admin/processors/btcpay/test': adminOnly(send({ address: '', storeId: '', apiKey: '' })),
  'GET /api/admin/payment-events': adminOnly(),
  'POST /api/admin/payment-events/:eventId/review': adminOnly(),
}
