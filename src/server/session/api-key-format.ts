import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** The prefix of every API key, by which people and secret scanners recognize it. */
const marker = 'sauce_'
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 40
const checkLength = 6
const shape = new RegExp(`^${marker}[0-9A-Za-z]{${randomLength + checkLength}}$`)

/** Returns a new API key: the marker, 40 random characters (238 bits) and a checksum. */
export function newApiKey(): string {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return marker + random + checkOf(random)
}

/** Whether a string has the form and the checksum of an API key. Mistyped and truncated keys are thus rejected without a query. */
export function isWellFormedKey(text: string): boolean {
  const random = text.slice(marker.length, marker.length + randomLength)
  return shape.test(text) && text.endsWith(checkOf(random))
}

/** Returns the part of an API key that lists show: the marker and 4 of the 40 random characters. */
export const prefixOf = (key: string): string => key.slice(0, marker.length + 4)

/**
 * Returns the API key in an Authorization header; undefined if its bearer token does not start with the marker. The rest of the key is not checked:
 * a request with a malformed key must be refused instead of falling back to its cookies.
 */
export function apiKeyIn(authorization: string | null): string | undefined {
  const [, token] = /^bearer +(.*)$/i.exec(authorization ?? '') ?? []
  return token?.toLowerCase().startsWith(marker) ? token : undefined
}

/** The checksum: the CRC-32 of the random part in base 62. */
function checkOf(random: string): string {
  let rest = crc32(random)
  let check = ''
  while (check.length < checkLength) {
    check = alphabet[rest % alphabet.length]! + check
    rest = Math.floor(rest / alphabet.length)
  }
  return check
}
