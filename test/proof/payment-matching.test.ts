import { describe, expect, it } from 'vitest'
import { matchPayment } from '#features/payments/server/matching/match.ts'
import type { MatchResult } from '#features/payments/server/matching/types.ts'
import { type CrowdPayment, paymentCrowd } from '../harness/payment-crowd.ts'
import { matchSettings, provenEvidence } from '../harness/payment-world.ts'
import { roundCount } from '../harness/scale.ts'

const count = roundCount('PAYMENT_MATCHES', { short: 2000, full: 100_000 })

describe(`${count} payments for ${count} open orders`, () => {
  const { lookups, payments } = paymentCrowd({ invoices: count, payments: count, seed: 20 })
  const matched: { payment: CrowdPayment; result: MatchResult }[] = []
  const of = (...kinds: CrowdPayment['writtenAs'][]) =>
    matched.filter(({ payment }) => kinds.includes(payment.writtenAs))
  const isRight = ({ payment, result }: (typeof matched)[number]) =>
    result.invoices.length === 1 && result.invoices[0]!.id === payment.invoice?.id
  const share = (found: typeof matched) => found.filter(isRight).length / found.length

  it('are matched at a rate of more than 10,000 in 3 seconds', { timeout: 1_200_000 }, async () => {
    const started = process.cpuUsage()
    for (const payment of payments)
      matched.push({ payment, result: await matchPayment(payment.facts, provenEvidence(), lookups, matchSettings()) })
    const { user, system } = process.cpuUsage(started)
    const seconds = (user + system) / 1_000_000
    console.log(`${count} payments against ${count} orders: ${seconds.toFixed(2)} s of processor time`)
    // Allows ten times the target, so that the test does not fail on a slow machine.
    expect(seconds / count).toBeLessThan(30 / 10_000)
  })

  it('are never confirmed for the wrong order, and are confirmed if they name their order exactly', () => {
    expect(matched.filter((each) => each.result.auto && !isRight(each))).toEqual([])
    const whole = of('whole')
    expect(whole.filter(({ result }) => result.auto).length / whole.length).toBeGreaterThanOrEqual(0.999)
    // Swapping two identical characters does not change the number.
    const names = ({ facts, invoice }: CrowdPayment) => facts.note?.includes(invoice?.number.slice(4) ?? '-')
    const others = matched.filter(({ payment }) => payment.writtenAs !== 'whole')
    expect(others.filter(({ payment, result }) => result.auto && !names(payment))).toEqual([])
  })

  it('match only the correct order if the note names it, even with a typo', () => {
    expect(share(of('typo', 'swapped'))).toBeGreaterThanOrEqual(0.98)
    expect(share(of('short', 'over'))).toBe(1)
  })

  it('match no order if they come from strangers or inject numbers, and never the wrong order by a name alone', () => {
    expect(of('stranger', 'injected').filter(({ result }) => result.level !== 'none')).toEqual([])
    expect(of('name').filter((each) => each.result.level !== 'none' && !isRight(each))).toEqual([])
  })
})
