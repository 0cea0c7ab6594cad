import * as z from 'zod/mini'

/**
 * `implicit`: TLS from the first byte. `required`: STARTTLS or failure. `offered`: STARTTLS if the server supports it. `never`: plain text, for a server on
 * this machine.
 */
export type Tls = 'implicit' | 'required' | 'offered' | 'never'
export type SmtpServer = { host: string; port: number; tls: Tls; auth: { user: string; pass: string } | undefined }
export type Sender = { name: string; address: string }
/**
 * The SMTP server and the sender. An empty sender name means the brand name. `ca`: certificates (PEM) of the operator's own certificate
 * authority. `isPublicOnly`: connect only if the host name has no private address.
 */
export type SmtpConfig = SmtpServer & { from: Sender; ca?: string; isPublicOnly?: boolean }

const emailAddress = z.email()
const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Parses SMTP_URL; null if it is invalid or ambiguous. Credentials require TLS, except for a server on this machine. */
export function readSmtpUrl(value: string): SmtpServer | null {
  const url = URL.parse(value)
  if (
    !url ||
    !['smtp:', 'smtps:'].includes(url.protocol) ||
    !url.hostname ||
    url.hash ||
    !['', '/'].includes(url.pathname)
  )
    return null
  const { tls: requested = null, ...unknown } = Object.fromEntries(url.searchParams)
  if (Object.keys(unknown).length > 0 || (requested !== null && requested !== 'required' && requested !== 'never'))
    return null
  const implicit = url.protocol === 'smtps:'
  if (implicit && requested) return null
  const [user, pass] = [decoded(url.username), decoded(url.password)]
  if (user === null || pass === null || (user === '') !== (pass === '')) return null
  const auth = user ? { user, pass } : undefined
  const defaultTls = auth && !loopback.test(url.hostname) ? 'required' : 'offered'
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (implicit ? 465 : 587),
    tls: implicit ? 'implicit' : (requested ?? defaultTls),
    auth,
  }
}

/** Parses MAIL_FROM (`address` or `Name <address>`); null if it is not valid in a header. */
export function readSender(value: string): Sender | null {
  const [, quoted, name = '', address] = /^(?:(")?([^"<>\p{Cc}]*?)\1\s*<([^<>]+)>)$/u.exec(value.trim()) ?? [
    undefined,
    undefined,
    '',
    value.trim(),
  ]
  if (quoted && !name) return null
  return z.safeParse(emailAddress, address).success ? { name: name.trim(), address: address! } : null
}

function decoded(part: string): string | null {
  try {
    const text = decodeURIComponent(part)
    return /\p{Cc}/u.test(text) ? null : text
  } catch {
    return null
  }
}
