import { describe, expect, test } from 'vitest'
import type { AdminInvoice } from '../../admin-contract.ts'
import type { InvoiceStatus } from '../../contract.ts'
import { decisionForm, initialDecision, localDate, requestBody, statusOptions } from './admin-invoice-decision.ts'

const today = '2026-03-14'
const invoice = (values: Partial<AdminInvoice> = {}) =>
  ({
    status: 'pending',
    amount: 1499,
    version: 3,
    paidAt: null,
    duplicateCode: false,
    similarCode: null,
    ...values,
  }) as AdminInvoice
const messages = (about: AdminInvoice, form: object) =>
  decisionForm(about)
    .safeParse(form)
    .error?.issues.map((issue) => issue.message) ?? []

describe('the invoice dialog', () => {
  test('refuses a payment without a date', () => {
    expect(messages(invoice(), { status: 'paid', paidAt: '', acknowledgeDuplicate: false })).toEqual([
      'Please enter a valid date',
    ])
    expect(messages(invoice(), { status: 'cancelled', paidAt: '', acknowledgeDuplicate: false })).toEqual([])
  })
  test.each([
    ['repeated', { duplicateCode: true }],
    ['similar', { similarCode: 'ORD-AAAAAA' }],
  ])('refuses a payment with a %s code until it is acknowledged', (word, flag) => {
    const flagged = invoice(flag)
    expect(messages(flagged, { status: 'paid', paidAt: today, acknowledgeDuplicate: false })).toEqual([
      `Please check the other invoice and acknowledge the ${word} code`,
    ])
    expect(messages(flagged, { status: 'paid', paidAt: today, acknowledgeDuplicate: true })).toEqual([])
    expect(messages(flagged, { status: 'cancelled', paidAt: today, acknowledgeDuplicate: false })).toEqual([])
  })
  test('starts with paid today for a pending invoice, and with the current status for any other', () => {
    expect(initialDecision(invoice(), today)).toEqual({ status: 'paid', paidAt: today, acknowledgeDuplicate: false })
    expect(initialDecision(invoice({ status: 'expired' }), today).status).toBe('expired')
    expect(initialDecision(invoice({ status: 'paid', paidAt: '2026-02-01T10:00:00.000Z' }), today)).toMatchObject({
      status: 'paid',
      paidAt: '2026-02-01',
    })
  })
  test('offers the current status and the allowed ones only', () => {
    const offered = (status: InvoiceStatus) => statusOptions(invoice({ status }))
    expect(offered('pending')).toEqual(['pending', 'paid', 'cancelled'])
    expect(offered('paid')).toEqual(['paid', 'pending', 'cancelled'])
    expect(offered('cancelled')).toEqual(['cancelled', 'pending', 'paid'])
    expect(offered('expired')).toEqual(['expired', 'pending', 'paid', 'cancelled'])
  })
})

describe('the request body of a decision', () => {
  const shown = { expectedAmount: 1499, version: 3 }
  test('contains the displayed amount and version, and no date for today', () => {
    expect(requestBody(invoice(), initialDecision(invoice(), today), today)).toEqual({
      status: 'paid',
      ...shown,
      acknowledgeDuplicate: false,
    })
  })
  test('contains an earlier payment date in the form yyyy-MM-dd', () => {
    const decision = { status: 'paid' as const, paidAt: '2026-03-01', acknowledgeDuplicate: true }
    expect(requestBody(invoice(), decision, today)).toEqual({
      status: 'paid',
      paidAt: '2026-03-01',
      ...shown,
      acknowledgeDuplicate: true,
    })
  })
  test('contains no date unless the status is paid', () => {
    const decision = { status: 'cancelled' as const, paidAt: '2026-03-01', acknowledgeDuplicate: false }
    expect(requestBody(invoice(), decision, today)).not.toHaveProperty('paidAt')
  })
})

test('the local date is formatted in the local time zone, with two digits for month and day', () =>
  expect(localDate(new Date(2026, 0, 5, 23, 59))).toBe('2026-01-05'))
