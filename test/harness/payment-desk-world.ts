// An app with a payment desk: orders, payments as a person or the mailbox records them, decisions and undos.
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { createInvoice, submitPayment } from '#features/billing/contract.ts'
import { decidePayment, getPayment, type PaymentDecision, undoPayment } from '#features/payments/admin-contract.ts'
import { recordPayment } from '#features/payments/admin-record-contract.ts'
import { insertPayment, type NewPayment } from '#features/payments/server/service/record-payment.ts'
import { getSetting, updateSetting } from '#features/settings/admin-contract.ts'
import { inTransaction } from '#server/db/retry.ts'
import { invoices, paymentMailLinks, paymentMails } from '#server/db/tables.ts'
import { buildApp, type SignedIn } from './app.ts'
import { createPlan } from './factories.ts'

/** An order costs 3,000 cents. */
export async function paymentDeskWorld() {
  const app = await buildApp({ connections: 20 })
  const admin = await app.signInAdmin()
  const planId = (await createPlan(app.db, { price: 3_000 })).id
  const invoiceOf = async (number: string) =>
    (await app.db.select().from(invoices).where(eq(invoices.invoiceNumber, number)))[0]!
  const detail = (id: number) => admin.client.call(getPayment, { params: { paymentId: id }, query: {} })
  const today = () => new Date().toISOString()
  return {
    ...{ app, admin, invoiceOf, detail },
    /** Sets the maximum difference, in cents, that a decision may accept. */
    acceptDifferences: async (acceptedCents: number) => {
      const params = { section: 'payment-desk' as const }
      const { version, value } = await admin.client.call(getSetting, { params })
      await admin.client.call(updateSetting, { params, body: { version, value: { ...value, acceptedCents } } })
    },
    ordered: async (customer?: SignedIn, useCredit?: boolean) => {
      const { client } = customer ?? (await app.signIn())
      const { invoiceNumber } = await client.call(createInvoice, {
        body: { planId, email: 'buyer@example.org', useCredit },
      })
      await client.call(submitPayment, {
        body: { planId, paymentMethod: 'cashapp', confirmationCode: '', paymentNote: invoiceNumber, invoiceNumber },
      })
      return invoiceOf(invoiceNumber)
    },
    record: (amount: number, note: string, more: object = {}) =>
      admin.client.call(recordPayment, {
        body: {
          ...{ requestKey: randomUUID(), rail: 'cashapp', amount, note, payerName: 'Dana Whitfield' },
          ...{ payerHandle: `$${randomUUID().slice(0, 8)}`, paidAt: today(), providerReference: '' },
          ...more,
        },
      }),
    /** A payment as the mailbox records it, with the signed email that proves it. */
    arrive: (note: string, facts: Partial<NewPayment> = {}) =>
      inTransaction(app.db, async (tx) => {
        const key = randomUUID()
        const evidence = { auth: 'proven' as const, recipientIsOurs: true, templateKnown: true, signedAt: today() }
        const text = { payerName: 'Dana Whitfield', payerHandle: `$${key}`, note, providerReference: key }
        const payment = await insertPayment(
          tx,
          {
            rail: 'cashapp',
            source: 'mail',
            amount: 3_000,
            paidAt: today(),
            paidOn: today().slice(0, 10),
            ...text,
            ...facts,
          },
          evidence,
        )
        const place = {
          sourceKey: key,
          mailbox: 'test',
          uidValidity: 1n,
          uid: 1,
          messageId: key,
          sender: 'x@square.com',
        }
        const mail = {
          subject: '',
          bytes: 1,
          receivedAt: today(),
          outcome: 'payment' as const,
          auth: 'proven' as const,
        }
        const [row] = await tx
          .insert(paymentMails)
          .values({ ...place, ...mail, signedAt: evidence.signedAt, template: 'cashapp' })
          .returning()
        await tx.insert(paymentMailLinks).values({ mailId: row!.id, paymentId: payment!.id })
        return payment!
      }),
    decide: async (id: number, decision: Omit<PaymentDecision, 'version'>) =>
      admin.client.call(decidePayment, {
        params: { paymentId: id },
        body: { version: (await detail(id)).version, ...decision },
      }),
    undo: async (id: number) =>
      admin.client.call(undoPayment, { params: { paymentId: id }, body: { version: (await detail(id)).version } }),
  }
}
