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
/** Third-party sources that a page allows, by CSP directive: those of the chat provider if one is set up. */
export type ThirdPartySources = Record<string, string[]>

const referrer = 'referrer-policy'
const embedder = 'cross-origin-embedder-policy'
const apiPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox"

type PageOptions = {
  /** Whether our own pages may show the page in a frame. */
  frameable?: boolean
  thirdParties?: ThirdPartySources
  /** Lets the development server inject its styles. */
  dev?: boolean
}

/** The Content-Security-Policy of a page: no inline code except the scripts with these hashes, no third-party sources except `thirdParties`. */
export function pagePolicy(
  config: Pick<Config, 'publicUrl' | 'streamUrls'>,
  scriptHashes: string[],
  { thirdParties = {}, frameable = false, dev = false }: PageOptions = {},
): string {
  const socket = config.publicUrl.replace(/^http/, 'ws')
  const directives: Record<string, string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...(dev ? ["'unsafe-inline'"] : scriptHashes.map((hash) => `'${hash}'`))],
    'style-src': ["'self'", ...(dev ? ["'unsafe-inline'"] : [])],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    // hls.js creates subtitle tracks from `data:,WEBVTT`. Media cannot run code.
    'media-src': ["'self'", 'blob:', 'data:', ...config.streamUrls],
    'connect-src': ["'self'", socket, ...config.streamUrls],
    'frame-src': ["'self'"],
    'manifest-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': [frameable ? "'self'" : "'none'"],
    'object-src': ["'none'"],
  }
  for (const [directive, sources] of Object.entries(thirdParties))
    directives[directive] = [...(directives[directive] ?? []), ...sources]
  return Object.entries(directives)
    .map(([directive, sources]) => `${directive} ${sources.join(' ')}`)
    .join('; ')
}

/** Relaxes Cross-Origin-Embedder-Policy, because third-party resources do not send the required opt-in header. */
export const allowThirdParties = (headers: Headers): void => headers.set(embedder, 'unsafe-none')

/** Sets the headers of an HTML document that our own pages show in a frame: inline styles apply; scripts, requests, links and forms do not. */
export function setFrameableHeaders(headers: Headers): Headers {
  headers.set('content-type', 'text/html; charset=utf-8')
  headers.set('x-frame-options', 'SAMEORIGIN')
  headers.set(
    'content-security-policy',
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox",
  )
  return headers
}

// Pages with a secret in their URL set a stricter referrer policy, and frameable documents their own frame options. Images may be shown by email programs.
const pageMayOverride = [referrer, 'x-frame-options', 'cross-origin-resource-policy']

/**
 * The Strict-Transport-Security header for each value of the setting HSTS. `subdomains` and `preload` also apply to all subdomains of the operator's domain.
 */
const transportPolicies = {
  off: '',
  on: 'max-age=63072000',
  subdomains: 'max-age=63072000; includeSubDomains',
  preload: 'max-age=63072000; includeSubDomains; preload',
}

/** Sets the headers common to all responses. Pages have set their own Content-Security-Policy already. */
export function setCommonHeaders(headers: Headers, config: Pick<Config, 'secureCookies' | 'hsts'>): void {
  for (const [name, value] of Object.entries(common))
    if (!pageMayOverride.includes(name) || !headers.has(name)) headers.set(name, value)
  if (!headers.has(embedder)) headers.set(embedder, 'require-corp')
  if (!headers.has('content-security-policy')) headers.set('content-security-policy', apiPolicy)
  const policy = config.secureCookies && transportPolicies[config.hsts]
  if (policy) headers.set('strict-transport-security', policy)
}

/** Returns the headers common to all responses, as defaults that a response may override. */
export function commonHeaders(config: Pick<Config, 'secureCookies' | 'hsts'>): Readonly<Record<string, string>> {
  const headers = new Headers()
  setCommonHeaders(headers, config)
  return Object.fromEntries(headers)
}

/** The CSP source of an inline script: `sha256-…`. */
export const scriptHash = (script: string): string => `sha256-${createHash('sha256').update(script).digest('base64')}`
