import { describe, expect, it } from 'vitest'
import { layouts, mailFields } from '../../../../../../test/harness/payment-layouts.ts'
import {
  type MailChanges,
  type MailParts,
  mailContext,
  ourAddress,
  sentAt,
  signedMail,
} from '../../../../../../test/harness/payment-mails.ts'
import { type MailContext, readMail } from './read-mail.ts'

const read = async (parts: MailParts, changes: MailChanges = {}, context: Partial<MailContext> = {}) =>
  readMail(await signedMail(parts, changes), mailContext(context))
const layoutOf = (template: string) => layouts.find((each) => each.template === template)!.layout
const venmo = layoutOf('venmo-card')(mailFields())

describe.each(layouts)('$template', ({ template, layout, hasNote, reference }) => {
  it('is read', async () => {
    const result = await read(layout(mailFields()))
    expect(result).toMatchObject({ auth: 'proven', outcome: 'payment', template: { name: template } })
    expect(result.payments[0]).toMatchObject({
      direction: 'in',
      amount: 3149,
      currency: 'USD',
      final: true,
      payerName: 'Ana Ruiz',
      note: hasNote ? 'SAUCE: ORD-7F3K2G' : null,
      providerReference: reference,
      paidAt: sentAt.toISOString(),
    })
    expect(result.evidence).toMatchObject({ auth: 'proven', templateKnown: true, signedAt: sentAt.toISOString() })
  })

  it('is read without a note', async () => {
    const { payments } = await read(layout(mailFields({ note: '' })))
    expect(payments[0]).toMatchObject({ note: null, amount: 3149 })
  })

  it.each([
    'Rob sent you $94.99 for SAUCE: ORD-M4QWTD. Rob',
    'Amount $94.99 USD',
    '<td>Amount</td><td>$94.99</td>',
    'You sent $94.99 to Bob',
    'Transaction ID: 36P004001E0407536 Sent to @other',
    'payment pending, refunded, reversed',
  ])('a payer whose name or note is %j changes no other field', async (text) => {
    const named = await read(layout(mailFields({ name: text, note: '' })))
    const noted = await read(layout(mailFields({ note: text })))
    for (const { payments } of [named, noted]) {
      expect(payments.every(({ amount }) => amount === 3149 || amount === 500)).toBe(true)
      expect(payments.every(({ direction, final }) => direction === 'in' && final)).toBe(true)
    }
    if (named.template) expect(named.payments[0]).toMatchObject({ payerName: text, note: null })
    expect(noted.payments[0]).toMatchObject({ payerName: 'Ana Ruiz', note: hasNote ? text : null })
  })

  it('is refused for a different recipient address', async () => {
    const result = await read(layout(mailFields({ note: `Sent to ${ourAddress}` })), { to: 'attacker@mail.example' })
    expect(result).toMatchObject({ auth: 'proven', outcome: 'refused', reason: 'other_recipient', payments: [] })
  })
})

describe('an email that is not an incoming payment', () => {
  const at = (template: string, subject: string, html: string): MailParts => ({
    ...layoutOf(template)(mailFields()),
    subject,
    html,
  })
  it.each<[string, MailParts]>([
    ['outgoing', at('cashapp-receipt', 'You sent $12.00 to Print Shop', '<p>You sent $12.00 to Print Shop</p>')],
    ['outgoing', at('venmo-card', 'You paid Print Shop $12.00', '<h1>You paid Print Shop</h1>')],
    ['outgoing', at('zelle-chase', 'You sent money with Zelle®', '<h1>You sent $40.00 to BOB</h1>')],
    ['request', at('cashapp-receipt', 'Rob requested $31.49', '<p>Rob is requesting $31.49 from you</p>')],
    ['request', at('venmo-card', 'Rob requests $31.49', '<h1>Rob requests $31.49</h1>')],
    ['refund', at('paypal-received', 'You refunded Ana Ruiz', '<p>You refunded $31.49 USD to Ana Ruiz</p>')],
    ['other_mail', at('cashapp-receipt', 'Get $15 when your friend joins', '<p>Invite friends and get $15</p>')],
    ['other_mail', at('venmo-card', 'Your sign-in code', '<p>Your code is 123456</p>')],
  ])('%s', async (reason, parts) => {
    expect(await read(parts)).toMatchObject({ outcome: 'not_a_payment', reason, payments: [] })
  })

  it('a pending payment is not final, and words in a footer are ignored', async () => {
    const paypal = layoutOf('paypal-received')(mailFields())
    const text = paypal.text!.replace('\n\nAna', '\n\nThis payment was sent as an eCheck and is pending.\n\nAna')
    expect((await read({ ...paypal, text })).payments).toMatchObject([{ final: false, amount: 3149 }])
  })

  it('a different currency with the same sign is recognized', async () => {
    const paypal = layoutOf('paypal-received')(mailFields())
    const pesos = await read({ ...paypal, text: paypal.text!.replaceAll('USD', 'MXN') })
    expect(pesos.payments).toMatchObject([{ currency: 'MXN' }])
    const bare = await read({ ...paypal, text: paypal.text!.replaceAll('\u00a0USD', '') })
    expect(bare.payments).toMatchObject([{ currency: '???' }])
  })

  it('a reversal names the payment that it takes back', async () => {
    const html =
      '<h1>The $31.49 payment from Ana Ruiz was reversed</h1><h3>Transaction ID</h3><p>4691000000000000101</p>'
    const result = await read(at('venmo-card', 'A payment from Ana Ruiz was reversed', html))
    expect(result.payments).toMatchObject([
      { direction: 'reversal', amount: 3149, reversesReference: '4691000000000000101' },
    ])
  })

  it('several deposits in one digest are several payments', async () => {
    const { payments } = await read(layoutOf('zelle-wellsfargo')(mailFields()))
    expect(payments.map(({ amount, payerName }) => [amount, payerName])).toEqual([
      [3149, 'Ana Ruiz'],
      [500, 'TRAN BOB'],
    ])
  })

  it('an unknown layout is read as far as possible for administrators, and an unreadable email is reported', async () => {
    const chase = layoutOf('zelle-chase')(mailFields())
    const unknown = await read({ ...chase, html: chase.html!.replace('zelle_auto_accept_receiver', 'zelle_v9') })
    expect(unknown).toMatchObject({ outcome: 'payment', template: null, evidence: { templateKnown: false } })
    expect(unknown.payments).toMatchObject([{ amount: 3149, payerName: 'Ana Ruiz', note: 'SAUCE: ORD-7F3K2G' }])
    const empty = await read({ ...chase, html: '<p>A person sent you money</p>', subject: 'A person sent you money' })
    expect(empty).toMatchObject({ outcome: 'unreadable', reason: 'template_unknown' })
  })
})

describe('the sender', () => {
  const verdict = (id: string, rest: string) => `Authentication-Results: ${id};\r\n ${rest}\r\n`
  const pass = 'dkim=pass header.i=@venmo.com; dmarc=pass header.from=venmo.com'
  const foreign = verdict('mx.mailbox.example', 'dkim=none; dmarc=fail header.from=venmo.com')

  it.each<[string, string, string, MailChanges]>([
    ['no signature', 'forged', 'not_proven', { isSigned: false }],
    [
      'no signature, but a passing verdict',
      'forged',
      'not_proven',
      {
        isSigned: false,
        above: verdict('mx.mailbox.example', pass),
      },
    ],
    ['signed by a carrier only', 'forged', 'not_proven', { domain: 'amazonses.com' }],
    ['signed by a subdomain', 'forged', 'not_proven', { domain: 'mail.venmo.com' }],
    ['body changed', 'forged', 'not_proven', { after: (mail) => mail.replace('--b1--', '--b1-- ') }],
    ['subject changed', 'forged', 'not_proven', { after: (mail) => mail.replace('31.49', '91.49') }],
    ['signature covers only part of the body', 'unproven', 'partly_signed', { maxBodyLength: 100 }],
    ['subject not signed', 'unproven', 'partly_signed', { headerList: 'From:To:Date' }],
    ['recipient not signed', 'unproven', 'partly_signed', { headerList: 'From:Subject:Date' }],
    ['a second From', 'unproven', 'header_repeated', { extra: 'From: Other <x@mail.example>\r\n' }],
    ['a second Subject', 'unproven', 'header_repeated', { extra: 'Subject: other\r\n' }],
    ['a second To', 'unproven', 'header_repeated', { extra: `To: ${ourAddress}\r\n`, to: 'x@mail.example' }],
    ['a second Content-Type', 'unproven', 'header_repeated', { extra: 'Content-Type: text/plain\r\n' }],
    [
      'no Message-ID',
      'unproven',
      'header_missing',
      { headerList: 'From:To:Subject:Date', after: (mail) => mail.replace(/^Message-ID: .*\r\n/m, '') },
    ],
    ['a key of 768 bits', 'unproven', 'not_proven', { selector: 'weak' }],
    ['signature expired', 'unproven', 'not_proven', { expires: new Date('2026-11-20T13:00:00Z') }],
    ['signed in the future', 'unproven', 'not_proven', { signTime: new Date('2026-11-21T14:00:00Z') }],
    ['key unavailable', 'unproven', 'not_proven', { selector: 'gone' }],
    [
      'key unavailable, verdict of another server',
      'unproven',
      'not_proven',
      { selector: 'gone', above: verdict('mx.evil.example', pass) },
    ],
    [
      'key unavailable, verdict below that of another server',
      'unproven',
      'not_proven',
      {
        selector: 'gone',
        above: foreign + verdict('mx.mailbox.example', pass),
      },
    ],
    [
      'key unavailable, verdict in a comment',
      'unproven',
      'not_proven',
      {
        selector: 'gone',
        above: verdict('mx.mailbox.example', `spf=pass (x; ${pass}); dmarc=fail header.from=venmo.com`),
      },
    ],
    [
      'key unavailable, verdict in quotes',
      'unproven',
      'not_proven',
      {
        selector: 'gone',
        above: verdict('mx.mailbox.example', `spf=pass smtp.mailfrom="; ${pass}; "@mail.example`),
      },
    ],
  ])('an email is refused: %s', async (_, auth, reason, changes) => {
    expect(await read(venmo, changes)).toMatchObject({ auth, outcome: 'refused', reason, payments: [] })
  })

  it('an email with an unavailable key and a topmost verdict of the own mail server is vouched for', async () => {
    const result = await read(venmo, { selector: 'gone', above: verdict('mx.mailbox.example', pass) })
    expect(result).toMatchObject({ auth: 'vouched', outcome: 'payment', isRetryable: true })
  })

  it.each(['venmo@venmo.com.evil.example', 'news@venmo.com', 'venmo@venm0.com'])(
    'an email from %s is ignored',
    async (from) => {
      const result = await read({ ...venmo, from, domain: from.split('@')[1]! })
      expect(result).toMatchObject({ auth: 'unproven', outcome: 'ignored', reason: 'unknown_sender' })
    },
  )

  it('a payment to a different handle, name or account is refused', async () => {
    const refused = { outcome: 'refused', reason: 'other_recipient' }
    expect(await read(layoutOf('venmo-card')(mailFields({ handle: '@other' })))).toMatchObject(refused)
    const [receipt, chase] = [layoutOf('cashapp-receipt'), layoutOf('zelle-chase')].map((make) => make(mailFields()))
    expect(await read({ ...receipt!, html: receipt!.html!.replace('Shop TV', 'Other') })).toMatchObject(refused)
    expect(await read({ ...chase!, html: chase!.html!.replace('in 4417', 'in 9999') })).toMatchObject(refused)
    expect(await read(venmo, {}, { accounts: {} })).toMatchObject(refused)
    const unnamed = { names: [], handles: [], addresses: [ourAddress] }
    expect(await read(venmo, {}, { accounts: { venmo: unnamed } })).toMatchObject(refused)
    expect(await read(venmo, { to: `${ourAddress}, other@mail.example` })).toMatchObject(refused)
  })

  it('an old email that is signed again counts as signed at its date', async () => {
    const { evidence } = await read(venmo, { date: new Date('2026-11-16T12:00:00Z'), signTime: sentAt })
    expect(evidence.signedAt).toBe('2026-11-16T12:00:00.000Z')
  })

  it('a copy has the same source key as the email, and a different email has a different key', async () => {
    const mail = await signedMail(venmo)
    const copy = Buffer.concat([Buffer.from('Received: again\r\n'), mail])
    const keys = await Promise.all([mail, copy].map(async (raw) => (await readMail(raw, mailContext())).sourceKey))
    expect(keys[0]).toBe(keys[1])
    expect((await read(venmo, { date: new Date('2026-11-20T12:00:01Z') })).sourceKey).not.toBe(keys[0])
  })

  it('emails that exceed the limits are not read', async () => {
    const large = await read({ ...venmo, html: `<p>${'x'.repeat(200_001)}</p>` })
    expect(large).toMatchObject({ outcome: 'unreadable', reason: 'too_long' })
    const deep = await read({ ...venmo, html: '<div>'.repeat(5000) })
    expect(deep).toMatchObject({ outcome: 'unreadable', reason: 'too_deep' })
    const huge = await read({ ...venmo, text: 'x'.repeat(1_500_000) })
    expect(huge).toMatchObject({ outcome: 'unreadable', reason: 'too_large' })
    const parted = await read(venmo, { moreParts: 20 })
    expect(parted).toMatchObject({ outcome: 'unreadable', reason: 'too_many_parts' })
  })
})
