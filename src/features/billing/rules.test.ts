import fc from 'fast-check'
import { describe, expect, it as test } from 'vitest'
import { hasCheckCharacter } from './check-character-rules.ts'
import { type InvoiceDetail, invoiceNumberPattern, type PaymentMethod, payment, paymentForm } from './contract.ts'
import * as rules from './rules.ts'

const handles = { cashtag: '$SauceTVDemo', venmoHandle: '@saucetv-demo' }
const draft = { status: 'draft', submittedAt: null, amount: 3149, expiresAt: '2026-09-09T00:00:00.000Z' } as const

test.each([
  [0, '0 min'],
  [59, '59 min'],
  [60, '1 h'],
  [47 * 60 + 59, '47 h'],
  [48 * 60, '2 days'],
])('a wait of %d minutes is formatted as %s', (minutes, words) => {
  const since = new Date('2026-09-01T00:00:00.000Z')
  expect(rules.formatWait(since, new Date(since.getTime() + minutes * 60_000))).toBe(words)
})

describe('an invoice', () => {
  test('is expired from exactly its expiry date on', () => {
    expect(rules.statusAt(draft, new Date('2026-09-09T00:00:00.000Z'))).toBe('expired')
    expect(rules.statusAt(draft, new Date('2026-09-08T23:59:59.999Z'))).toBe('draft')
  })
  test.each(['paid', 'cancelled'] as const)('that is %s keeps its status after its expiry date', (status) => {
    expect(rules.statusAt({ ...draft, status }, new Date('2030-01-01'))).toBe(status)
  })
})

describe('payment', () => {
  test.each(['paid', 'cancelled', 'expired'] as const)('is not requested for a %s invoice', (status) => {
    expect(rules.asksForPayment({ ...draft, status })).toBe(false)
  })
  test('is not requested once it was submitted', () => {
    expect(rules.asksForPayment({ ...draft, status: 'pending', submittedAt: '2026-09-02T00:00:00.000Z' })).toBe(false)
  })
  test('is not requested for a plan change that costs nothing', () => {
    expect(rules.asksForPayment({ ...draft, status: 'pending', amount: 0 })).toBe(false)
  })
  test('is requested for a draft and for a reopened invoice', () => {
    expect(rules.asksForPayment(draft)).toBe(true)
    expect(rules.asksForPayment({ ...draft, status: 'pending' })).toBe(true)
  })
})

describe('the email address in the customer details', () => {
  test('is shown only once on the invoice', () => {
    expect(rules.billToLines('a@b.example', 'Email: a@b.example')).toEqual(['a@b.example'])
    expect(rules.billToLines('a@b.example', 'Email: c@d.example\nFloor 3')).toEqual([
      'a@b.example',
      'Email: c@d.example',
      'Floor 3',
    ])
    expect(rules.billToLines('', '')).toEqual(['No email provided'])
  })

  test.each(['', 'Name: x', 'Email:', 'Email: a b', 'x\nEmail: eve@example.com'])('is not found in %j', (text) => {
    expect(rules.emailIn(text)).toBeUndefined()
  })
  test('is read unchanged, from the first line only', () => {
    expect(rules.emailIn(`${rules.customerDetailsFor('lena@example.com')}\nEmail: eve@example.com`)).toBe(
      'lena@example.com',
    )
  })
})

describe('choosing a payment method', () => {
  const typed = { confirmationCode: '#ABC123', paymentNote: 'something else' }
  test('clears code and note for a credit card', () => {
    expect(rules.paymentFieldsFor('creditcard', typed, 'SAUCE: ORD-ABC123')).toEqual({
      confirmationCode: '',
      paymentNote: '',
    })
  })
  test.each(['cashapp', 'venmo'] as const)('sets the order note for %s and keeps the code', (method) => {
    expect(rules.paymentFieldsFor(method, typed, 'SAUCE: ORD-ABC123')).toEqual({
      confirmationCode: '#ABC123',
      paymentNote: 'SAUCE: ORD-ABC123',
    })
  })
})

describe('the link to a payment app', () => {
  test('is undefined for a card and for an amount of zero', () => {
    expect(rules.payLink('creditcard', handles, 3149, 'n')).toBeUndefined()
    expect(rules.payLink('cashapp', handles, 0, 'n')).toBeUndefined()
  })
  test('contains the recipient, the amount and, for Venmo, the note', () => {
    expect(rules.payLink('cashapp', handles, 3149, 'SAUCE: ORD-ABC123')).toBe('https://cash.app/$SauceTVDemo/31.49')
    expect(rules.payLink('venmo', handles, 100_005, 'SAUCE: ORD-ABC123')).toBe(
      'https://venmo.com/saucetv-demo?txn=pay&audience=private&amount=1000.05&note=SAUCE%3A%20ORD-ABC123',
    )
  })
  test('is undefined while no recipient is set', () => {
    for (const method of ['cashapp', 'venmo'] as const)
      expect(rules.payLink(method, { cashtag: '', venmoHandle: '' }, 3149, 'x')).toBeUndefined()
  })
  test('stays on the origin of the payment app for any handle', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }),
        fc.string(),
        fc.constantFrom<PaymentMethod>('cashapp', 'venmo'),
        fc.integer({ min: 1, max: 10_000_000 }),
        (handle, note, method, cents) => {
          const url = new URL(
            rules.payLink(
              method,
              { cashtag: handle.toWellFormed(), venmoHandle: handle.toWellFormed() },
              cents,
              note.toWellFormed(),
            )!,
          )
          expect(['https://cash.app', 'https://venmo.com']).toContain(url.origin)
        },
      ),
    )
  })
})

describe('a secure payment link', () => {
  test.each(['javascript:alert(1)', 'http://pay.example/x', '', null])(
    'is undefined for the stored value %j',
    (paymentLink) => {
      expect(rules.securePaymentLink({ paymentMethod: 'creditcard', paymentLink })).toBeUndefined()
    },
  )
  test('is defined for a card payment only', () => {
    expect(rules.securePaymentLink({ paymentMethod: 'venmo', paymentLink: 'https://pay.example/x' })).toBeUndefined()
    expect(rules.securePaymentLink({ paymentMethod: 'creditcard', paymentLink: 'https://pay.example/x' })).toBe(
      'https://pay.example/x',
    )
  })
})

describe('an order ID generated in the browser', () => {
  test('is ORD- and six uppercase letters or digits, the last of which is the check character', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 6, maxLength: 12 }), (bytes) => {
        expect(rules.orderIdFrom(bytes)).toMatch(invoiceNumberPattern)
        expect(rules.orderIdFrom(bytes).slice(4)).not.toMatch(/[01OI]/)
        expect(hasCheckCharacter(rules.orderIdFrom(bytes).slice(4))).toBe(true)
      }),
    )
  })
})

describe('account credit', () => {
  const open = {
    status: 'pending',
    usableCredit: 500,
    invoice: { status: 'pending', submittedAt: null },
    lines: [{ kind: 'plan', description: '', amount: 2_000 }],
  } as unknown as InvoiceDetail
  const credit = { kind: 'credit', description: '', amount: -2_000 } as const
  test.each([
    ['there is none', { usableCredit: 0 }],
    ['a payment was submitted', { invoice: { ...open.invoice, submittedAt: '2026-09-02T10:00:00Z' } }],
    ['it is paid', { status: 'paid' }],
    ['it has expired', { status: 'expired' }],
    ['the amount before credit is zero', { lines: [{ ...credit, kind: 'plan_change', amount: 0 } as const] }],
  ] as [string, Partial<InvoiceDetail>][])('cannot be used when %s', (_why, change) =>
    expect(rules.canUseCredit({ ...open, ...change })).toBe(false),
  )
  test('can be used while an invoice awaits payment, even when it covers the whole amount', () => {
    expect([open, { ...open, lines: [...open.lines, credit] }].map(rules.canUseCredit)).toEqual([true, true])
    expect(rules.usesCredit({ lines: [...open.lines, credit] })).toBe(true)
  })
})

describe('the list of invoices', () => {
  const list = [
    { invoiceNumber: 'ORD-AAAAAA', status: 'pending', planName: 'Little Beast: 1 Connection' },
    { invoiceNumber: 'ORD-BBBBBB', status: 'paid', planName: '' },
    { invoiceNumber: 'ORD-CCCCCC', status: 'draft', planName: 'Big Beast: 6 Months, 2 Connections' },
  ] as const
  const numbers = (search: string) => rules.searchInvoices([...list], search).map((invoice) => invoice.invoiceNumber)
  test('is empty for a search text that no invoice contains', () => expect(numbers('zzz')).toEqual([]))
  test('is searched by number, status and plan name, ignoring case', () => {
    expect(numbers('ord-b')).toEqual(['ORD-BBBBBB'])
    expect(numbers(' PENDING ')).toEqual(['ORD-AAAAAA'])
    expect(numbers('big beast')).toEqual(['ORD-CCCCCC'])
  })
  test('finds an invoice without a plan name by the default name', () =>
    expect(numbers('iptv')).toEqual(['ORD-BBBBBB']))
  test('shows all invoices in the All tab and one status in each other tab', () => {
    expect(rules.invoicesInTab('all', [...list])).toHaveLength(3)
    expect(rules.invoicesInTab('paid', [...list]).map((invoice) => invoice.invoiceNumber)).toEqual(['ORD-BBBBBB'])
    expect(rules.invoicesInTab('expired', [...list])).toEqual([])
  })
})

describe('the payment form', () => {
  const messages = (input: unknown) => paymentForm.safeParse(input).error?.issues.map((issue) => issue.message)
  test('shows the specified messages for a short code and a short note', () => {
    expect(messages({ paymentMethod: 'venmo', confirmationCode: 'abc', paymentNote: 'abc' })).toEqual([
      'Please enter a payment confirmation code',
      'Please enter the note you included with your payment',
    ])
  })
  test('normalizes a full-width code to ASCII and refuses other letters', () => {
    const typed = (confirmationCode: string) =>
      paymentForm.safeParse({ paymentMethod: 'venmo', confirmationCode, paymentNote: '' })
    expect(typed(' ＡＢ－１２ ').data).toMatchObject({ confirmationCode: 'AB-12' })
    expect(typed('АBCD').error?.issues.map(({ path, message }) => [path.join(), message])).toEqual([
      ['confirmationCode', 'Please use only letters A to Z, digits and punctuation'],
    ])
  })
  test('accepts an empty code and an empty note', () =>
    expect(messages({ paymentMethod: 'venmo', confirmationCode: '', paymentNote: '' })).toBeUndefined())
  test('refuses an invalid order number', () => {
    expect(payment.safeParse({ planId: 1, paymentMethod: 'venmo', invoiceNumber: '../admin' }).success).toBe(false)
  })
})
