import { createHash } from 'node:crypto'
import type { Auth } from '#features/payments/server/matching/types.ts'
import { type Sender, senderOf } from './senders.ts'
import { isVouchedFor } from './verdict.ts'
import { verifySignatures } from './verify-signatures.ts'

/** Resolves a DNS query. Throws an error with the code `ENOTFOUND` or `ENODATA` if there is no such record. */
export type DnsResolver = (name: string, type: string) => Promise<string[][]>

export type Mailbox = { authservIds: string[] }
export type RefusedBecause = 'unknown_sender' | 'header_repeated' | 'header_missing' | 'partly_signed' | 'not_proven'

/**
 * What is known about the sender of an email. `refused` is null if the email may be read. `sourceKey` is the same for every copy of a signed email.
 * `isRetryable` is true if a key could not be looked up, which may be a temporary DNS failure.
 */
export type Authenticity = {
  auth: Auth
  refused: RefusedBecause | null
  sender: Sender | null
  signedAt: Date | null
  sourceKey: string
  isRetryable: boolean
}

const exactlyOnce = ['from', 'to', 'subject', 'date', 'message-id', 'content-type']
const atMostOnce = [...exactlyOnce, 'content-transfer-encoding', 'mime-version']
const mustBeSigned = ['from', 'to', 'subject', 'date']
const keyStrength = { minBitLength: 1024 }
const clockToleranceMs = 10 * 60 * 1000

type Header = { key: string; value: string }
type Signature = {
  signingDomain?: string
  signature?: string
  signingHeaders?: { keys: string }
  signTime?: string | null
  canonBodyLengthLimited?: boolean
  status: { result: string; comment?: string | false; aligned?: string | false }
}

/**
 * Verifies the DKIM signature of a payment email strictly, with our own DNS queries. A signature only counts if it is from the sender's exact domain and covers
 * the whole body and the headers that are read.
 */
export async function verifyMail(
  raw: Uint8Array,
  { resolver, mailbox, now }: { resolver: DnsResolver; mailbox: Mailbox; now: Date },
): Promise<Authenticity> {
  const verified = await verifySignatures(Buffer.from(raw), {
    ...keyStrength,
    resolver,
    strict: true,
    curTime: now,
  })
  const headers = headersOf(raw)
  const sender = verified.headerFrom.map(senderOf).find((found) => found !== undefined) ?? null
  const own = (verified.results as Signature[]).filter(
    ({ signingDomain }) => signingDomain?.toLowerCase() === sender?.domain,
  )
  const keyed = own.find(({ signature }) => signature)?.signature ?? createHash('sha256').update(raw).digest('base64')
  const about = {
    sender,
    signedAt: null,
    isRetryable: false,
    sourceKey: createHash('sha256').update(keyed.replace(/\s/g, '')).digest('hex'),
  }
  const refuse = (refused: RefusedBecause, auth: Auth = 'unproven') => ({ ...about, auth, refused })
  if (!sender) return refuse('unknown_sender')
  const count = (key: string) => headers.filter((header) => header.key === key).length
  if (atMostOnce.some((key) => count(key) > 1) || verified.headerFrom.length !== 1) return refuse('header_repeated')
  if (exactlyOnce.some((key) => count(key) === 0)) return refuse('header_missing')
  const passed = own.filter(({ status }) => status.result === 'pass')
  const whole = passed.filter(isWhole)
  const timely = whole.filter((signature) => !isFromFuture(signature, now))
  if (timely.length > 0) return { ...about, auth: 'proven', refused: null, signedAt: signedAt(timely, headers) }
  if (whole.length > 0) return refuse('not_proven')
  if (passed.length > 0) return refuse('partly_signed')
  const unchecked = own.filter(({ status }) => isKeyMissing(status))
  if (unchecked.some(isWhole) && isVouchedFor(headers, mailbox.authservIds, sender.domain))
    return { ...about, auth: 'vouched', refused: null, signedAt: signedAt(unchecked, headers), isRetryable: true }
  if (unchecked.length > 0) return { ...refuse('not_proven'), isRetryable: true }
  const isOnlyUnusable = own.length > 0 && own.every(({ status }) => status.result !== 'fail')
  return refuse('not_proven', isOnlyUnusable ? 'unproven' : 'forged')
}

/**
 * Whether an email is proven to come from the address in its `From` header: by a valid signature of the same organization, or by the mail server's own verdict.
 * A signature whose key cannot be looked up proves nothing. This is less strict than `verifyMail`, because no money depends on it.
 */
export async function isSenderProven(
  raw: Uint8Array,
  { resolver, mailbox }: { resolver: DnsResolver; mailbox: Mailbox },
): Promise<boolean> {
  const { results, headerFrom } = await verifySignatures(Buffer.from(raw), { ...keyStrength, resolver })
  const [from, ...others] = headerFrom
  if (!from || others.length > 0) return false
  const isSigned = (results as Signature[]).some(({ status }) => status.result === 'pass' && status.aligned)
  return isSigned || isVouchedFor(headersOf(raw), mailbox.authservIds, from.split('@').pop()!.toLowerCase())
}

/** Whether the key was not found or could not be looked up, which does not mean that the signature is wrong. */
const isKeyMissing = ({ result, comment }: Signature['status']): boolean =>
  result === 'temperror' || (result === 'neutral' && (comment === 'no key' || comment === 'invalid public key'))

/** Whether a signature covers the whole body and all headers that are read. */
function isWhole({ canonBodyLengthLimited, signingHeaders }: Signature): boolean {
  const signed = (signingHeaders?.keys ?? '').split(':').map((key) => key.trim().toLowerCase())
  return canonBodyLengthLimited === false && mustBeSigned.every((key) => signed.includes(key))
}

const isFromFuture = ({ signTime }: Signature, now: Date): boolean =>
  Boolean(signTime) && Date.parse(signTime!) > now.getTime() + clockToleranceMs

/** Returns the earliest of the signature times and the signed `Date` header, so that an old email that is sent again does not count as new. */
function signedAt(signatures: Signature[], headers: Header[]): Date | null {
  const written = Date.parse(headers.find(({ key }) => key === 'date')?.value ?? '')
  const times = [written, ...signatures.map(({ signTime }) => Date.parse(signTime ?? ''))].filter(Number.isFinite)
  return times.length > 0 ? new Date(Math.min(...times)) : null
}

/** Returns the header fields in order, unfolded and with lower-case names. */
function headersOf(raw: Uint8Array): Header[] {
  const text = Buffer.from(raw.subarray(0, 512_000)).toString('latin1')
  const block = text.split(/\r?\n\r?\n/, 1)[0] ?? ''
  return block
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
    .flatMap((line) => {
      const colon = line.indexOf(':')
      return colon > 0 ? { key: line.slice(0, colon).trim().toLowerCase(), value: line.slice(colon + 1).trim() } : []
    })
}
