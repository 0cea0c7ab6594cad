import { Secret, TOTP } from 'otpauth'

const period = 30
const options = { algorithm: 'SHA1', digits: 6, period } as const

/** Returns 160 random bits in base32, the format authenticator apps accept. */
export const generateSecret = (): string => new Secret({ size: 20 }).base32

/** The content of the QR code (`otpauth://totp/…`). */
export const otpauthUri = (issuer: string, label: string, secret: string): string =>
  new TOTP({ ...options, issuer, label, secret: Secret.fromBase32(secret) }).toString()

/** Returns the time step that a code belongs to, at most one step from `atSeconds`; undefined for a wrong code. RFC 6238. */
export function stepOf(secret: string, code: string, atSeconds: number): number | undefined {
  const delta = new TOTP({ ...options, secret: Secret.fromBase32(secret) }).validate({
    token: code,
    timestamp: atSeconds * 1000,
    window: 1,
  })
  return delta === null ? undefined : Math.floor(atSeconds / period) + delta
}

/** The code an authenticator app shows at a given time. */
export const codeAt = (secret: string, atSeconds: number): string =>
  new TOTP({ ...options, secret: Secret.fromBase32(secret) }).generate({ timestamp: atSeconds * 1000 })
