import { createHmac, timingSafeEqual } from 'node:crypto'
import { limits } from '#server/limits.ts'

/** A secret that may have signed an event. */
export type Secret = { id: string; value: string }
/** The result of a valid signature: the secret that made it, and when. `signedAt` is null for BTCPay Server, which signs no time. */
export type Signed = { secret: Secret; signedAt: Date | null }
export type SignatureRefusal = 'not_signed' | 'bad_signature' | 'old_signature'

const hmac = (secret: string, ...parts: (string | Uint8Array)[]): Buffer => {
  const mac = createHmac('sha256', Buffer.from(secret, 'utf8'))
  for (const part of parts) mac.update(part)
  return mac.digest()
}

const maxSignatures = 10
/** Returns the secret that made one of the signatures. Compares every secret with every signature, so that the time does not reveal which of them match. */
function signerOf(secrets: Secret[], signatures: string[], sign: (secret: string) => Buffer): Secret | undefined {
  const received = signatures.filter((text) => /^[0-9a-f]{64}$/i.test(text)).slice(0, maxSignatures)
  let signer: Secret | undefined
  for (const secret of secrets) {
    const expected = sign(secret.value)
    for (const text of received) if (timingSafeEqual(expected, Buffer.from(text, 'hex'))) signer = secret
  }
  return signer
}

/**
 * Verifies the header `Stripe-Signature` (`t=1761234567,v1=…`, several `v1` while a secret is replaced) over the raw body. The time is part of
 * what is signed and may differ from `now` by `toleranceSeconds`.
 */
export function verifyStripe(raw: Uint8Array, header: string, secrets: Secret[], now: Date): Signed | SignatureRefusal {
  const parts = header.split(',').map((part) => part.trim().split('='))
  const times = parts.flatMap(([name, value]) => (name === 't' && value ? [value] : []))
  const signatures = parts.flatMap(([name, value]) => (name === 'v1' && value ? [value] : []))
  const [time] = times
  if (times.length !== 1 || !time || !/^\d{1,12}$/.test(time) || signatures.length === 0) return 'not_signed'
  const secret = signerOf(secrets, signatures, (value) => hmac(value, `${time}.`, raw))
  if (!secret) return 'bad_signature'
  const signedAt = new Date(Number(time) * 1000)
  const isTimely = Math.abs(now.getTime() - signedAt.getTime()) <= limits.event.toleranceSeconds * 1000
  return isTimely ? { secret, signedAt } : 'old_signature'
}

/** Verifies the header `BTCPay-Sig` (`sha256=…`) over the raw body. */
export function verifyBtcpay(raw: Uint8Array, header: string, secrets: Secret[]): Signed | SignatureRefusal {
  const [, signature] = /^sha256=([0-9a-f]{64})$/i.exec(header.trim()) ?? []
  if (!signature) return 'not_signed'
  const secret = signerOf(secrets, [signature], (value) => hmac(value, raw))
  return secret ? { secret, signedAt: null } : 'bad_signature'
}
