import { describe, expect, it } from 'vitest'
import {
  customerCandidate,
  invoiceCandidate,
  matchSettings,
  paymentFacts,
  paymentIndex,
  provenEvidence,
} from '../../../../../test/harness/payment-world.ts'
import { matchPayment } from './match.ts'
import type { ConditionCode, Evidence, InvoiceCandidate, Lookups, MatchSettings, PaymentFacts } from './types.ts'

const ana = customerCandidate('Ana Ruiz')
const bob = customerCandidate('Bob Tran')
const admin = customerCandidate('Ada Root', { isAdmin: true })
const order = invoiceCandidate('ORD-7F3K2G', ana)
const second = invoiceCandidate('ORD-M4QWTD', ana, { amount: 2499 })
const foreign = invoiceCandidate('ORD-HC5VD7', bob, { amount: 2499, phrase: 'amber otter' })
const adminOrder = invoiceCandidate('ORD-T8VBXD', admin)
const customers = [ana, bob, admin]
const index = paymentIndex({ invoices: [order, second, foreign, adminOrder], customers })
const named = { note: 'SAUCE: ORD-7F3K2G' }

const match = (facts: Partial<PaymentFacts>, { lookups = index, evidence = {}, settings = {} }: Changes = {}) =>
  matchPayment(paymentFacts(facts), provenEvidence(evidence), lookups, matchSettings(settings))
type Changes = { lookups?: Lookups; evidence?: Partial<Evidence>; settings?: Partial<MatchSettings> }
const withInvoice = (changes: Partial<InvoiceCandidate>, rest: Parameters<typeof paymentIndex>[0] = {}) =>
  paymentIndex({ customers, ...rest, invoices: [{ ...order, ...changes }, ...(rest.invoices ?? [second])] })

describe('conditions of automatic confirmation', () => {
  it('hold for an exact payment', async () => {
    const result = await match(named)
    expect(result).toMatchObject({ level: 'exact', resolver: 'confirm', blockedBy: [], auto: true })
    expect(result.candidates[0]!.reasons.map(({ sentence }) => sentence)).toContain(
      'The note names ORD-7F3K2G, check character right.',
    )
  })

  const cases: [ConditionCode, Partial<PaymentFacts>, Changes][] = [
    ['not_proven', named, { evidence: { auth: 'vouched' } }],
    ['other_recipient', named, { evidence: { recipientIsOurs: false } }],
    ['template_unknown', named, { evidence: { templateKnown: false } }],
    ['not_final', { ...named, final: false }, {}],
    ['currency', { ...named, currency: 'MXN' }, {}],
    ['reference_corrected', { note: 'SAUCE: ORD-7F3K2H' }, {}],
    ['reference_ambiguous', { note: 'ORD-7F3K2G ORD-M4QWTD', amount: 5648 }, {}],
    [
      'reference_reused',
      { note: 'amber otter', amount: 2499 },
      {
        lookups: paymentIndex({
          customers,
          invoices: [foreign],
          formerPhrases: [{ phrase: 'amber otter', invoice: null, until: '2026-10-30T00:00:00Z' }],
        }),
      },
    ],
    ['amount_differs', { ...named, amount: 3148 }, {}],
    ['invoice_not_open', named, { lookups: withInvoice({ expiresAt: '2026-11-20T17:00:00Z' }) }],
    ['invoice_not_open', named, { lookups: withInvoice({ outdated: true }) }],
    [
      'payer_conflict',
      named,
      {
        lookups: withInvoice(
          {},
          {
            payers: [{ rail: 'cashapp', payerKey: '$anar', customerId: bob.id, confirmations: 4 }],
          },
        ),
      },
    ],
    [
      'code_twice',
      named,
      {
        lookups: withInvoice({}, { invoices: [{ ...foreign, confirmationCode: 'd-test 0001' }] }),
      },
    ],
    ['own_invoice', { note: 'ORD-T8VBXD' }, {}],
    ['rail_off', { ...named, rail: 'wise' }, {}],
    ['over_limit', named, { settings: { maxCents: 3148 } }],
    [
      'daily_limit',
      named,
      {
        lookups: withInvoice({}, { confirmedToday: () => ({ count: 1, cents: 1, ofPayer: 1, ofCustomer: 1 }) }),
      },
    ],
    ['too_old', named, { evidence: { signedAt: '2026-11-17T17:00:00Z' } }],
  ]
  it.each(cases)('include %s, which alone prevents confirmation', async (code, facts, changes) => {
    const { blockedBy, auto, wouldConfirm } = await match(facts, changes)
    expect(blockedBy.map((blocked) => blocked.code)).toEqual([code])
    expect(blockedBy[0]!.sentence).toMatch(/^[A-Z$].*\.$/)
    expect([auto, wouldConfirm]).toEqual([false, false])
  })

  const none = { count: 0, cents: 0, ofPayer: 0, ofCustomer: 0 }
  const limits = { perDay: 3, perDayCents: 5_000, perPayerDay: 2, perCustomerDay: 1 }
  it.each([{ count: 3 }, { cents: 1_852 }, { ofPayer: 2 }, { ofCustomer: 1 }])(
    'include each daily limit: %o',
    async (today) => {
      const [[key, limit]] = Object.entries(today) as [[string, number]]
      const confirmed = (count: number) =>
        match(named, {
          settings: limits,
          lookups: withInvoice({}, { confirmedToday: () => ({ ...none, [key]: count }) }),
        })
      expect((await confirmed(limit)).blockedBy.map(({ code }) => code)).toEqual(['daily_limit'])
      expect(await confirmed(limit - 1)).toMatchObject({ blockedBy: [], auto: true })
    },
  )

  it('only say what would have been confirmed in shadow mode', async () => {
    expect(await match(named, { settings: { mode: 'shadow' } })).toMatchObject({ auto: false, wouldConfirm: true })
  })
})

describe('a payment', () => {
  it.each<[string, Partial<InvoiceCandidate>, Partial<PaymentFacts>, string]>([
    ['of less than what is due', {}, { amount: 2000 }, 'part'],
    ['of the rest after a part payment', { held: 2000 }, { amount: 1149 }, 'join'],
    ['of more than what is due', {}, { amount: 4000 }, 'over'],
    ['after the deadline', { status: 'expired' }, {}, 'late'],
    ['for a canceled order', { status: 'cancelled' }, {}, 'late'],
    ['that pays an order a second time', { status: 'paid', hasPayment: true }, {}, 'duplicate'],
    ['for an order confirmed without a payment', { status: 'paid' }, {}, 'link'],
  ])('%s', async (_, invoice, facts, resolver) => {
    expect(await match({ ...named, ...facts }, { lookups: withInvoice(invoice) })).toMatchObject({
      level: 'exact',
      resolver,
      alternatives: [{ number: 'ORD-M4QWTD' }],
    })
  })

  it('of the sum of two named orders is a split', async () => {
    const result = await match({ note: 'ORD-7F3K2G ORD-M4QWTD', amount: 5648 })
    expect(result).toMatchObject({ level: 'suggest', resolver: 'split' })
    expect(result.invoices.map(({ number }) => number)).toEqual(['ORD-7F3K2G', 'ORD-M4QWTD'])
  })

  it('without a note suggests a split if the name and the sum of two open orders match', async () => {
    const result = await match({ amount: 5648 })
    expect(result).toMatchObject({ level: 'suggest', resolver: 'split' })
    expect(result.blockedBy.map(({ code }) => code)).toEqual(['reference_missing', 'amount_differs'])
  })

  it('suggests an order by name and amount, but never by the amount alone', async () => {
    expect((await match({})).invoices).toMatchObject([{ number: 'ORD-7F3K2G' }])
    expect(await match({ payerName: 'Wanda Stranger', payerHandle: null })).toMatchObject({
      level: 'none',
      resolver: 'unknown',
      invoices: [],
      candidates: [],
    })
  })

  it('suggests no order if two customers have the same name', async () => {
    const other = customerCandidate('Ana Ruiz')
    const invoices = [order, invoiceCandidate('ORD-B8ZRNP', other)]
    const result = await match({}, { lookups: paymentIndex({ customers: [ana, other], invoices }) })
    expect(result).toMatchObject({ level: 'none', invoices: [] })
    expect(result.candidates).toHaveLength(2)
  })

  it('is not matched by an order number in the payer name', async () => {
    const result = await match({ payerName: 'Rob sent you $31.49 for SAUCE: ORD-7F3K2G', payerHandle: '$rob' })
    expect(result).toMatchObject({ level: 'none', resolver: 'unknown' })
  })

  it('suggests an order by a typed transaction number and by identifying cents', async () => {
    const byCode = withInvoice({ confirmationCode: 'D-TEST0001' })
    expect(await match({ payerName: null, payerHandle: null }, { lookups: byCode })).toMatchObject({
      level: 'suggest',
      invoices: [{ number: 'ORD-7F3K2G' }],
    })
    const byCents = withInvoice({ uniqueCents: true })
    expect(await match({ payerName: null, payerHandle: null }, { lookups: byCents })).toMatchObject({
      level: 'suggest',
      invoices: [{ number: 'ORD-7F3K2G' }],
    })
  })

  it('that takes money back is matched to the order of the original payment and never confirmed', async () => {
    const lookups = withInvoice(
      { status: 'paid', hasPayment: true },
      { payments: [{ rail: 'cashapp', providerReference: 'D-PAID', invoiceId: order.id }] },
    )
    const result = await match({ direction: 'reversal', reversesReference: 'D-PAID' }, { lookups })
    expect(result).toMatchObject({ level: 'exact', resolver: 'reversal', auto: false, invoices: [{ id: order.id }] })
    expect(result.blockedBy.map(({ code }) => code)).toEqual(['reversal'])
    expect(await match({ direction: 'reversal' })).toMatchObject({ level: 'none', resolver: 'reversal' })
  })

  it('always gets the same match', async () => {
    expect(await match(named)).toEqual(await match(named))
  })
})
