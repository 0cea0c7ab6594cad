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
/** The keys of all domains of the tests by selector; their records are answered by `testResolver`. */
const keys: Record<string, ReturnType<typeof keyOf>> = { test: keyOf(2048), weak: keyOf(768) }

export const sentAt = new Date('2026-11-20T12:00:00Z')
export const ourAddress = 'pay@shop.example'

/** Knows the keys of the selectors `test` and `weak` for every domain, and no other. */
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

/** Reads mails two hours after they were sent, with accounts of ours on every rail. */
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

/** What the sender or an attacker does with a mail besides its content. */
export type MailChanges = {
  to?: string
  date?: Date
  /** Header lines in front of the signature, such as the mailbox's verdict. */
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
  /** Empty parts before the content. */
  moreParts?: number
  /** Changes the message after it was signed. */
  after?: (message: string) => string
}

const word = (text: string) => (/^[ -~]*$/.test(text) ? text : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`)

/** A mail with a strict signature of the provider's domain. */
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

/** The header line with a domain's signature of a message; `date` is the time of the signature. */
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
