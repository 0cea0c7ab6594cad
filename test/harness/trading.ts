import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Db } from '#server/db/connect.ts'
import { invoices } from '#server/db/tables.ts'
import type { HttpUser } from './http-user.ts'
import { expectInvariants } from './invariants.ts'

/** The numbers of the invoices whose submission or confirmation got a complete 200 response. */
export type Journal = { submitted: Set<string>; paid: Set<string> }
type Trade = {
  url: () => string
  planId: number
  buyers: HttpUser[]
  cashier: HttpUser
  journal: Journal
  isOver: () => boolean
}

export const emptyJournal = (): Journal => ({ submitted: new Set(), paid: new Set() })

/** Returns the id of a three-month plan of the sample catalog. */
export async function threeMonthPlanId(url: string): Promise<number> {
  const plans = (await (await fetch(`${url}/api/plans`)).json()) as { id: number; months: number }[]
  return plans.find((plan) => plan.months === 3)!.id
}

/** Orders, pays and confirms until `isOver`, ignoring failures of the app. The journal holds only what got a complete 200 response. */
export async function runTrades({ url, planId, buyers, cashier, journal, isOver }: Trade): Promise<void> {
  const one = async (buyer: HttpUser) => {
    while (!isOver()) {
      try {
        const created = await buyer.send(url(), 'POST', '/api/create-invoice', { planId, email: 'buyer@example.org' })
        if (created.status !== 200) throw new Error(String(created.status))
        const invoiceNumber = String(created.body.invoiceNumber)
        const payment = await buyer.send(url(), 'POST', '/api/submit-payment', {
          planId,
          paymentMethod: 'creditcard',
          invoiceNumber,
        })
        if (payment.status !== 200) throw new Error(String(payment.status))
        journal.submitted.add(invoiceNumber)
        const { body } = await buyer.send(url(), 'GET', `/api/invoices/${invoiceNumber}`)
        const { id } = body.invoice as { id: number }
        const confirmed = await cashier.send(url(), 'PUT', `/api/admin/invoices/${id}`, { status: 'paid' })
        if (confirmed.status === 200) journal.paid.add(invoiceNumber)
      } catch {
        await sleep(20)
      }
    }
  }
  await Promise.all(buyers.map(one))
}

/** Expects that nothing in the journal is lost and all invariants hold. */
export async function expectJournalKept(db: Db, journal: Journal): Promise<void> {
  const rows = await db.select({ number: invoices.invoiceNumber, status: invoices.status }).from(invoices)
  const statusOf = new Map(rows.map((row) => [row.number, row.status]))
  expect(
    [...journal.submitted].filter((number) => !['pending', 'paid'].includes(statusOf.get(number) ?? 'lost')),
  ).toEqual([])
  expect([...journal.paid].filter((number) => statusOf.get(number) !== 'paid')).toEqual([])
  await expectInvariants(db)
}
