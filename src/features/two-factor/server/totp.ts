import { Secret, TOTP } from 'otpauth'

const period = 30
const options = { algorithm: 'SHA1', digits: 6, period } as const

/** Returns 160 random bits in base32, the format authenticator apps accept. */
export const generateSecret = (): string => new Secret({ size: 20 }).base32

/** Returns the content of the QR code (`otpauth://totp/…`). */
export const otpauthUri = (issuer: string, label: string, secret: string): string =>
  new TOTP({ ...options, issuer, label, secret: Secret.fromBase32(secret) }).toString()

/** Returns the time step of a code (RFC 6238), which is at most one step before or after the Unix time `atSeconds`; undefined for a wrong code. */
export function timeStepOf(secret: string, code: string, atSeconds: number): number | undefined {
  const delta = new TOTP({ ...options, secret: Secret.fromBase32(secret) }).validate({
    token: code,
    timestamp: atSeconds * 1000,
    window: 1,
  })
  return delta === null ? undefined : Math.floor(atSeconds / period) + delta
}

/** Returns the code that an authenticator app shows at the Unix time `atSeconds`. */
export const codeAt = (secret: string, atSeconds: number): string =>
  new TOTP({ ...options, secret: Secret.fromBase32(secret) }).generate({ timestamp: atSeconds * 1000 })
