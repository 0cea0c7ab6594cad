import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { confirmWaiting } from '#features/payments/server/service/automation/confirm-by-rule.ts'
import { paymentAutomation, paymentRuleResults } from '#server/db/tables.ts'
import { expectInvariants } from '../harness/invariants.ts'
import { paymentDeskWorld } from '../harness/payment-desk-world.ts'
import { roundCount } from '../harness/scale.ts'

const days = roundCount('SHADOW_DAYS', { short: 2, full: 7 })
const ordersADay = roundCount('SHADOW_ORDERS', { short: 8, full: 40 })

type Arrival = { order: number; amount: number; note: (number: string) => string; handle: string }
/** The same week for both modes: whole, short, repeated, unclear and late payments, and payers and customers beyond their limits. */
const week: Arrival[][] = Array.from({ length: days }, (_, day) =>
  Array.from({ length: ordersADay }, (_each, at): Arrival[] => {
    const order = day * ordersADay + at
    const whole = { order, amount: 3_000, note: (number: string) => number, handle: `$payer${order}` }
    switch (at % 8) {
      case 1:
        return [{ ...whole, amount: 2_999 }]
      case 2:
        return [whole, { ...whole, handle: '$again' }]
      case 3:
        return [{ ...whole, note: () => 'for TV' }]
      case 4:
        return [{ ...whole, handle: '$family' }]
      case 5:
        return [{ ...whole, note: (number) => `SAUCE: ${number} and ORD-QQQQQ2` }]
      default:
        return [whole]
    }
  }).flat(),
)

/**
 * Replays the week. Returns, in order, the payments that the rule confirmed or, in shadow mode, reported that it would confirm. In shadow mode an
 * administrator then confirms them.
 */
async function replay(mode: 'on' | 'shadow'): Promise<string[]> {
  const world = await paymentDeskWorld()
  const { db } = world.app
  await db.update(paymentAutomation).set({ mode, perDay: ordersADay - 3, perPayerDay: 1 })
  const results: string[] = []
  const orders = new Map<number, Awaited<ReturnType<typeof world.ordered>>>()
  for (const [day, arrivals] of week.entries()) {
    for (const [at, { order, amount, note, handle }] of arrivals.entries()) {
      const invoice = orders.get(order) ?? (await world.ordered())
      orders.set(order, invoice)
      const payment = await world.arrive(note(invoice.invoiceNumber), { amount, payerHandle: handle })
      await confirmWaiting(db)
      const [result] = await db
        .select()
        .from(paymentRuleResults)
        .where(
          sql`${paymentRuleResults.paymentId} = ${payment.id} and ${paymentRuleResults.state} in ('confirmed', 'shadow')`,
        )
      if (!result) continue
      results.push(`day ${day}, payment ${at}, order ${order}`)
      if (mode === 'shadow') await world.decide(payment.id, { action: 'confirm', invoiceIds: [result.invoiceId] })
    }
    await db.update(paymentRuleResults).set({ createdAt: sql`${paymentRuleResults.createdAt} - interval '1 day'` })
  }
  await expectInvariants(db)
  await world.app.close()
  return results
}

it(`${days} days in shadow mode report exactly the payments that automatic confirmation confirms`, {
  timeout: 600_000,
}, async () => {
  const [shadow, on] = [await replay('shadow'), await replay('on')]
  expect(shadow).toEqual(on)
  expect(on.length).toBeGreaterThan(days * 2)
})
