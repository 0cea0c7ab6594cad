import { Secret, TOTP } from 'otpauth'

const period = 30
const options = { algorithm: 'SHA1', digits: 6, period } as const

/** 160 random bits in base32, as apps take them. */
export const drawSecret = (): string => new Secret({ size: 20 }).base32

/** What the QR code says (`otpauth://totp/…`). */
export const addressOf = (issuer: string, label: string, secret: string): string =>
  new TOTP({ ...options, issuer, label, secret: Secret.fromBase32(secret) }).toString()

/** The time step whose code this is, one before or after `atSeconds` included; undefined for a wrong one. RFC 6238. */
export function stepOf(secret: string, code: string, atSeconds: number): number | undefined {
  const delta = new TOTP({ ...options, secret: Secret.fromBase32(secret) }).validate({
    token: code,
    timestamp: atSeconds * 1000,
    window: 1,
  })
  return delta === null ? undefined : Math.floor(atSeconds / period) + delta
}

/** The code of a moment, as an app shows it. */
export const codeAt = (secret: string, atSeconds: number): string =>
  new TOTP({ ...options, secret: Secret.fromBase32(secret) }).generate({ timestamp: atSeconds * 1000 })
