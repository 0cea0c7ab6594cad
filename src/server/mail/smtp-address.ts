import * as z from 'zod/mini'

/** `required`: no word without TLS. `offered`: STARTTLS where the server has it. `never`: plain, for a relay on this machine. */
export type Tls = 'implicit' | 'required' | 'offered' | 'never'
export type Relay = { host: string; port: number; tls: Tls; auth: { user: string; pass: string } | undefined }
export type Sender = { name: string; address: string }
/** The server that takes our mails, and whom they come from; an empty name stands for the brand's. */
export type SmtpConfig = Relay & { from: Sender }

const emailAddress = z.email()
const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** The parts of SMTP_URL; null for anything we would have to guess about. Credentials travel under TLS only, except on this machine. */
export function readSmtpUrl(value: string): Relay | null {
  const url = URL.parse(value)
  if (
    !url ||
    !['smtp:', 'smtps:'].includes(url.protocol) ||
    !url.hostname ||
    url.hash ||
    !['', '/'].includes(url.pathname)
  )
    return null
  const { tls: asked = null, ...unknown } = Object.fromEntries(url.searchParams)
  if (Object.keys(unknown).length > 0 || (asked !== null && asked !== 'required' && asked !== 'never')) return null
  const implicit = url.protocol === 'smtps:'
  if (implicit && asked) return null
  const [user, pass] = [decoded(url.username), decoded(url.password)]
  if (user === null || pass === null || (user === '') !== (pass === '')) return null
  const auth = user ? { user, pass } : undefined
  const careful = auth && !loopback.test(url.hostname) ? 'required' : 'offered'
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (implicit ? 465 : 587),
    tls: implicit ? 'implicit' : (asked ?? careful),
    auth,
  }
}

/** The parts of MAIL_FROM, `address` or `Name <address>`; null when a header could not hold them. */
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
