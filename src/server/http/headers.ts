import { createHash } from 'node:crypto'
import type { Config } from '../config.ts'

const common = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
}
/** What a page lets in from somebody else, by directive: the chat's provider, when there is one. */
export type Guests = Record<string, string[]>

const referrer = 'referrer-policy'
const embedder = 'cross-origin-embedder-policy'
const apiPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox"

type PageOptions = { guests?: Guests /** Lets the development server inject its styles. */; dev?: boolean }

/** The policy of a page: nothing inline but the scripts whose SHA-256 is named, nobody else's but the guests'. */
export function pagePolicy(
  config: Pick<Config, 'publicUrl'>,
  scriptHashes: string[],
  { guests = {}, dev = false }: PageOptions = {},
): string {
  const socket = config.publicUrl.replace(/^http/, 'ws')
  const directives: Record<string, string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...(dev ? ["'unsafe-inline'"] : scriptHashes.map((hash) => `'${hash}'`))],
    'style-src': ["'self'", ...(dev ? ["'unsafe-inline'"] : [])],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'media-src': ["'self'", 'blob:'],
    'connect-src': ["'self'", socket],
    'frame-src': ["'self'"],
    'manifest-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    'object-src': ["'none'"],
  }
  for (const [directive, sources] of Object.entries(guests))
    directives[directive] = [...(directives[directive] ?? []), ...sources]
  return Object.entries(directives)
    .map(([directive, sources]) => `${directive} ${sources.join(' ')}`)
    .join('; ')
}

/** A page with guests cannot ask of them that they agree to being embedded. */
export const letGuestsIn = (headers: Headers): void => headers.set(embedder, 'unsafe-none')

/** A document that our own pages show in a frame: its inline styles count, nothing of it runs, loads, links or sends. */
export function framed(headers: Headers): Headers {
  headers.set('content-type', 'text/html; charset=utf-8')
  headers.set('x-frame-options', 'SAMEORIGIN')
  headers.set(
    'content-security-policy',
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox",
  )
  return headers
}

// A page whose address nobody may hear of says so itself, and a document that our own pages frame.
const ownWord = [referrer, 'x-frame-options']

/** Strict-Transport-Security by the setting HSTS. `preload` also says so for every other name below the operator's domain. */
const transport = {
  off: '',
  on: 'max-age=63072000',
  subdomains: 'max-age=63072000; includeSubDomains',
  preload: 'max-age=63072000; includeSubDomains; preload',
}

/** Sets what every answer carries; pages have set their own policy before. */
export function secure(headers: Headers, config: Pick<Config, 'secureCookies' | 'hsts'>): void {
  for (const [name, value] of Object.entries(common))
    if (!ownWord.includes(name) || !headers.has(name)) headers.set(name, value)
  if (!headers.has(embedder)) headers.set(embedder, 'require-corp')
  if (!headers.has('content-security-policy')) headers.set('content-security-policy', apiPolicy)
  const policy = config.secureCookies && transport[config.hsts]
  if (policy) headers.set('strict-transport-security', policy)
}

/** `sha256-…` of an inline script, as it stands in a policy. */
export const scriptHash = (script: string): string => `sha256-${createHash('sha256').update(script).digest('base64')}`
