import { createHash } from 'node:crypto'
import type { Config } from './config.ts'

const common = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
}
const apiPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox"

/** The policy of a page: nothing inline but the scripts whose SHA-256 is named. `dev` lets the development server inject its styles. */
export function pagePolicy(config: Pick<Config, 'publicUrl'>, scriptHashes: string[], dev = false): string {
  const socket = config.publicUrl.replace(/^http/, 'ws')
  return [
    "default-src 'none'",
    `script-src 'self'${dev ? " 'unsafe-inline'" : scriptHashes.map((hash) => ` '${hash}'`).join('')}`,
    `style-src 'self'${dev ? " 'unsafe-inline'" : ''}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "media-src 'self' blob:",
    `connect-src 'self' ${socket}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ')
}

/** Sets what every answer carries; pages have set their own policy before. */
export function secure(headers: Headers, config: Pick<Config, 'secureCookies'>): void {
  for (const [name, value] of Object.entries(common)) headers.set(name, value)
  if (!headers.has('content-security-policy')) headers.set('content-security-policy', apiPolicy)
  if (config.secureCookies) headers.set('strict-transport-security', 'max-age=63072000; includeSubDomains; preload')
}

/** `sha256-…` of an inline script, as it stands in a policy. */
export const scriptHash = (script: string): string => `sha256-${createHash('sha256').update(script).digest('base64')}`
