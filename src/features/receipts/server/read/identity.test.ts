import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PaymentFacts } from '#features/payments/server/matching/types.ts'
import { paymentFacts } from '../../../../../test/harness/payment-world.ts'
import { type BookedPayment, joinPayments, type SourcedPayment } from './identity.ts'

const zone = 'America/New_York'
const deposit = (paidOn: string) =>
  paymentFacts({
    ...{ rail: 'bank', paidAt: null, paidOn, payerName: null, payerHandle: null },
    ...{ note: 'DEPOSIT', providerReference: null },
  })

/** Adds the payments of each file to the book, one file after another, and returns the book. */
function bookAll(files: SourcedPayment[][], book: BookedPayment[] = []): BookedPayment[] {
  for (const file of files)
    joinPayments(file, book, zone).forEach(({ booked, receipt }, at) => {
      if (booked) booked.receipts.push(receipt)
      else book.push({ facts: file[at]!.facts, receipts: [receipt] })
    })
  return book
}
const from = (source: string, ...facts: PaymentFacts[]): SourcedPayment[] =>
  facts.map((each) => ({ facts: each, source }))

const mail = paymentFacts({ payerName: 'Ana Ruiz', note: 'SAUCE: ORD-7F3K2G', providerReference: 'D-QX7M2A4K' })
const row = { ...mail, payerHandle: null, providerReference: 'ywur7r', paidAt: '2026-11-20T12:00:40Z' }

describe('the same payment from several sources', () => {
  it('identical rows of one day are several payments, and overlapping files add each payment once', () => {
    const first = from('csv:chase', deposit('2026-11-18'), deposit('2026-11-18'))
    const second = from('csv:chase', deposit('2026-11-19'), deposit('2026-11-18'), deposit('2026-11-18'))
    expect(bookAll([first, second])).toHaveLength(3)
    expect(bookAll([second, first])).toHaveLength(3)
    expect(bookAll([first, first, second, second])).toHaveLength(3)
  })

  it('an email and a CSV row about one payment are one payment, in any order', () => {
    const files = [from('mail', mail), from('csv:cashapp', row)]
    for (const order of [files, files.toReversed()]) {
      const book = bookAll(order)
      expect(book).toHaveLength(1)
      expect(book[0]!.receipts.map(({ source }) => source).toSorted()).toEqual(['csv:cashapp', 'mail'])
    }
  })

  it('unmatched rows are new: two emails and three rows are three payments', () => {
    const again = { ...mail, providerReference: 'D-AGAIN000', paidAt: '2026-11-20T13:00:00Z' }
    const rows = ['a', 'b', 'c'].map((id, at) => ({
      ...row,
      providerReference: id,
      paidAt: `2026-11-20T1${2 + at}:00:30Z`,
    }))
    const book = bookAll([from('mail', mail), from('mail', again), from('csv:cashapp', ...rows)])
    expect(book).toHaveLength(3)
    expect(book.map(({ receipts }) => receipts.length)).toEqual([2, 2, 1])
  })

  it.each<[string, Partial<PaymentFacts>]>([
    ['a different amount', { amount: 3150 }],
    ['a different direction', { direction: 'reversal' }],
    ['a different currency', { currency: 'MXN' }],
    ['a time 37 hours later', { paidAt: '2026-11-22T01:00:01Z' }],
    ['only one common word in the names', { payerName: 'Ana Gomez', note: null }],
    ['neither a common name nor a common note', { payerName: 'Bob Tran', note: null }],
  ])('%s means a different payment', (_, changes) => {
    expect(bookAll([from('mail', mail), from('csv:cashapp', { ...row, ...changes })])).toHaveLength(2)
  })

  it('two transaction numbers of one provider are two payments', () => {
    const [one, other] = ['4691000000000000101', '4691000000000000102'].map((providerReference) =>
      paymentFacts({ ...mail, rail: 'venmo', providerReference }),
    )
    expect(bookAll([from('mail', one!), from('csv:venmo', other!)])).toHaveLength(2)
    expect(bookAll([from('mail', one!), from('csv:venmo', one!)])).toHaveLength(1)
  })

  it('days up to three apart around a weekend can be the same payment', () => {
    const bank = { ...mail, rail: 'zelle' as const, providerReference: null, paidAt: null }
    const friday = { ...bank, paidOn: '2026-11-20' }
    expect(bookAll([from('mail', friday), from('csv:bofa', { ...bank, paidOn: '2026-11-23' })])).toHaveLength(1)
    const tuesday = { ...bank, paidOn: '2026-11-17' }
    expect(bookAll([from('mail', tuesday), from('csv:bofa', { ...bank, paidOn: '2026-11-19' })])).toHaveLength(2)
  })

  it('files that are read repeatedly and in any order give the same book', () => {
    const files = [
      from('mail', mail),
      from('csv:cashapp', row, { ...row, providerReference: 'other1', amount: 500 }),
      from('csv:chase', deposit('2026-11-18'), deposit('2026-11-18')),
      from('csv:chase', deposit('2026-11-19'), deposit('2026-11-18')),
    ]
    const orders = fc.array(fc.constantFrom(0, 1, 2, 3), { maxLength: 8 })
    const order = fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 })
    fc.assert(
      fc.property(orders, order, (some, all) => {
        const book = bookAll([...some, ...all].map((at) => files[at]!))
        expect(book).toHaveLength(5)
      }),
      { numRuns: 60, seed: 6 },
    )
  })
})
