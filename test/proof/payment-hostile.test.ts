import { expect, it } from 'vitest'
import { readMail } from '#features/receipts/server/read/mail/read-mail.ts'
import { layouts, mailFields } from '../harness/payment-layouts.ts'
import { type MailChanges, mailContext, ourAddress, signedMail } from '../harness/payment-mails.ts'

const rails = ['cashapp-receipt', 'venmo-card', 'zelle-chase', 'paypal-received', 'chime', 'wise']
/** The changes that an attacker makes to an email with a real layout. Each function takes the domain of the provider. */
const tricks: Record<string, (domain: string) => MailChanges> = {
  unsigned: () => ({ isSigned: false }),
  'unsigned with a verdict of its own': (domain) => ({ isSigned: false, above: verdict(domain) }),
  'signed by a carrier': () => ({ domain: 'amazonses.com' }),
  'signed by the attacker': () => ({ domain: 'evil.example' }),
  'signed by a subdomain': (domain) => ({ domain: `mail.${domain}` }),
  'signed by a domain with the same ending': (domain) => ({ domain: `x${domain}` }),
  'changed body': () => ({ after: (mail) => mail.replace(/(Content-Transfer-Encoding: base64\r\n\r\n)./, '$1X') }),
  'changed subject': () => ({ after: (mail) => mail.replace(/^Subject: /m, 'Subject: Re ') }),
  'changed recipient': () => ({ to: 'x@mail.example', after: (mail) => mail.replace('x@mail.example', ourAddress) }),
  'changed date': () => ({ after: (mail) => mail.replace(/^Date: .*$/m, 'Date: Fri, 20 Nov 2026 13:00:00 +0000') }),
  'body limit': () => ({ maxBodyLength: 50 }),
  'unsigned subject': () => ({ headerList: 'From:To:Date' }),
  'unsigned recipient': () => ({ headerList: 'From:Subject:Date' }),
  'unsigned date': () => ({ headerList: 'From:To:Subject' }),
  'from the future': () => ({ signTime: new Date('2026-11-21T14:00:00Z') }),
  'second From': () => ({ extra: 'From: Other <x@mail.example>\r\n' }),
  'second To': () => ({ extra: `To: ${ourAddress}\r\n`, to: 'x@mail.example' }),
  'second Subject': () => ({ extra: 'Subject: other\r\n' }),
  'second Date': () => ({ extra: 'Date: Fri, 20 Nov 2026 13:00:00 +0000\r\n' }),
  'second Content-Type': () => ({ extra: 'Content-Type: text/plain\r\n' }),
  'second Message-ID': () => ({ extra: 'Message-ID: <2@x>\r\n' }),
  'weak key': () => ({ selector: 'weak' }),
  expired: () => ({ expires: new Date('2026-11-20T13:00:00Z') }),
  'a receipt of someone else': () => ({ to: 'attacker@mail.example' }),
}
const verdict = (domain: string) =>
  `Authentication-Results: mx.mailbox.example; dkim=pass header.i=@${domain}; dmarc=pass header.from=${domain}\r\n`

it(`${Object.keys(tricks).length} tricks on ${rails.length} rails are refused or unreadable, and yield no payment`, async () => {
  expect(Object.keys(tricks).length).toBeGreaterThanOrEqual(24)
  for (const rail of rails) {
    const parts = layouts.find(({ template }) => template === rail)!.layout(mailFields())
    const honest = await readMail(await signedMail(parts), mailContext())
    expect(honest, rail).toMatchObject({ auth: 'proven', outcome: 'payment' })
    for (const [name, change] of Object.entries(tricks)) {
      const result = await readMail(await signedMail(parts, change(parts.domain)), mailContext())
      expect({ name, outcome: result.outcome, payments: result.payments }, rail).toEqual({
        ...{ name, payments: [] },
        outcome: expect.stringMatching(/^(refused|unreadable)$/),
      })
    }
  }
})
