import { generateKeyPairSync } from 'node:crypto'
import { dkimSign } from 'mailauth/lib/dkim/sign.js'
import type { DnsResolver } from '#features/receipts/server/read/mail/authenticity.ts'
import type { MailContext } from '#features/receipts/server/read/mail/read-mail.ts'

const keyOf = (modulusLength: number) =>
  generateKeyPairSync('rsa', {
    modulusLength,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
/** The DKIM keys of all test domains by selector. `testResolver` returns their DNS records. */
const keys: Record<string, ReturnType<typeof keyOf>> = { test: keyOf(2048), weak: keyOf(768) }

export const sentAt = new Date('2026-11-20T12:00:00Z')
export const ourAddress = 'pay@shop.example'

/** Returns the DKIM records of the selectors `test` and `weak` for every domain. All other names are not found. */
export const testResolver: DnsResolver = async (name) => {
  const key = keys[name.split('._domainkey.', 1)[0]!]
  if (!key) throw Object.assign(new Error('no such record'), { code: 'ENOTFOUND' })
  return [[`v=DKIM1; k=rsa; p=${key.publicKey.toString('base64')}`]]
}

const account = (handles: string[] = [], accounts: string[] = []) => ({
  names: ['Shop TV'],
  handles,
  addresses: [ourAddress],
  accounts,
})

/** Creates the context in which emails are read: two hours after `sentAt`, with an account of ours on every rail. */
export const mailContext = (changes: Partial<MailContext> = {}): MailContext => ({
  now: new Date('2026-11-20T14:00:00Z'),
  resolver: testResolver,
  mailbox: { authservIds: ['mx.mailbox.example'] },
  accounts: {
    cashapp: account(['$ShopTV']),
    venmo: account(['@shop-tv']),
    zelle: account([], ['4417']),
    paypal: account(),
    chime: account(),
    wise: account(),
    stripe: account(),
  },
  ...changes,
})

export type MailParts = { from: string; domain: string; subject: string; html?: string; text?: string }

/** What the sender or an attacker changes about an email, apart from its content. */
export type MailChanges = {
  to?: string
  date?: Date
  /** Header lines above the signature, such as the Authentication-Results of the mailbox provider. */
  above?: string
  /** Header lines below the signature, which it does not cover. */
  extra?: string
  domain?: string
  selector?: string
  headerList?: string
  maxBodyLength?: number
  expires?: Date
  signTime?: Date
  isSigned?: boolean
  /** The number of empty parts before the content. */
  moreParts?: number
  /** Returns the message as it is changed after it was signed. */
  after?: (message: string) => string
}

const word = (text: string) => (/^[ -~]*$/.test(text) ? text : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`)

/** Creates an email that the provider's domain has signed, including its whole body and all important headers. */
export async function signedMail(parts: MailParts, changes: MailChanges = {}): Promise<Buffer> {
  const { from, subject, html, text } = parts
  const date = changes.date ?? sentAt
  const part = (type: string, body: string) =>
    `Content-Type: ${type}; charset=UTF-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${encoded(body)}\r\n`
  const body =
    html === undefined
      ? part('text/plain', text ?? '')
      : `Content-Type: multipart/alternative; boundary="b1"\r\n\r\n${`--b1\r\n${part('text/x-empty', '')}`.repeat(changes.moreParts ?? 0)}--b1\r\n${part('text/plain', text ?? '')}--b1\r\n${part('text/html', html)}--b1--\r\n`
  const message = [
    `From: Provider <${from}>`,
    `To: ${changes.to ?? ourAddress}`,
    `Subject: ${word(subject)}`,
    'MIME-Version: 1.0',
    'Message-ID: <1@provider.example>',
    `Date: ${date.toUTCString().replace('GMT', '+0000')}`,
    body,
  ].join('\r\n')
  const signature = changes.isSigned === false ? '' : await signatureOf(message, parts.domain, changes, date)
  const whole = `${changes.above ?? ''}${signature}${changes.extra ?? ''}${message}`
  return Buffer.from(changes.after?.(whole) ?? whole)
}

const encoded = (body: string) =>
  (
    Buffer.from(body)
      .toString('base64')
      .match(/.{1,76}/g) ?? ['']
  ).join('\r\n')

/** Returns the DKIM-Signature header line of a domain for a message. `date` is the time of the signature. */
export async function signatureOf(
  message: string | Buffer,
  domain: string,
  changes: MailChanges = {},
  date = new Date(),
): Promise<string> {
  const { signatures, errors } = await dkimSign(message, {
    canonicalization: 'relaxed/simple',
    algorithm: 'rsa-sha256',
    signTime: changes.signTime ?? date,
    ...(changes.expires && { expires: changes.expires }),
    signatureData: [
      {
        signingDomain: changes.domain ?? domain,
        selector: changes.selector ?? 'test',
        privateKey: (keys[changes.selector ?? 'test'] ?? keys.test!).privateKey,
        headerList: changes.headerList ?? 'From:To:Subject:Date:Message-ID:Content-Type:MIME-Version',
        ...(changes.maxBodyLength !== undefined && { maxBodyLength: changes.maxBodyLength }),
      },
    ],
  } as unknown as Parameters<typeof dkimSign>[1])
  if (errors.length > 0) throw new Error(`not signed: ${JSON.stringify(errors)}`)
  return signatures
}
