import * as z from 'zod/mini'
import type { Block } from '#kit/mail-body.ts'
import type { TemplateContext } from './template.ts'

const dateFormat = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', year: 'numeric', timeZone: 'UTC' })
const timeFormat = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' })
/** Formats a date as `November 21, 2026`, in UTC. */
export const formatDate = (instant: string): string => dateFormat.format(new Date(instant))
/** Formats a time as `November 21, 2026, 2:05 PM UTC`. */
export const formatDateTime = (instant: string): string =>
  `${formatDate(instant)}, ${timeFormat.format(new Date(instant))} UTC`

/** A string that `Date.parse` accepts. An email with any other value cannot be composed. */
export const dateTime = z
  .string()
  .check(z.refine((value) => Number.isFinite(Date.parse(value)), 'must be a date and time'))
export const optionalDateTime = z.optional(z.nullable(dateTime))
export const optionalText = z.optional(z.nullable(z.string()))
/** Credentials that an account recovery or a password change removed. */
export const removedCredentials = z.optional(
  z.object({
    passkeys: z.optional(z.array(z.string())),
    apiKeys: z.optional(z.array(z.string())),
    secondFactor: z.optional(z.boolean()),
  }),
)
/** The data fields of all emails about an invoice. */
export const invoiceFields = { invoiceNumber: z.string(), planName: z.string(), amount: z.int() }

/** Whether a mail client would turn a name such as `casino.example` or `www.example` into a link. Emails do not show such names. */
export const looksLikeAddress = (name: string): boolean => /[@/:]|\.[a-z]{2,}|^www\b/i.test(name)

/** Drops empty blocks, so that templates can write conditions inline. */
export const compactBlocks = (...blocks: (Block | false | null | undefined | '')[]): Block[] =>
  blocks.filter((block): block is Block => Boolean(block))
/** Returns a block of label and value pairs. Pairs without a value are dropped. */
export const facts = (...rows: ([string, string | null | undefined] | false)[]): Block => ({
  kind: 'facts',
  rows: rows.filter((row): row is [string, string] => row !== false && Boolean(row[1])),
})

export const text = (content: string): Block => ({ kind: 'text', text: content })
/** Lists removed credentials, if any. Names are shown as facts and never inside a sentence, where an address would become a link. */
export const removedBlocks = ({
  passkeys = [],
  apiKeys = [],
  secondFactor,
}: NonNullable<z.output<typeof removedCredentials>> = {}): Block[] =>
  compactBlocks(
    passkeys.length > 0 && text('These passkeys were removed. You can add your own again under Account Security.'),
    passkeys.length > 0 && passkeyFacts(passkeys),
    apiKeys.length > 0 && text('These API keys were revoked. Programs that use them need new ones.'),
    apiKeys.length > 0 && nameFacts('API key', apiKeys),
    secondFactor && text('Two-step verification was turned off. You can set it up again under Account Security.'),
  )
export const passkeyFacts = (names: string[]): Block => nameFacts('Passkey', names)
const nameFacts = (label: string, names: string[]): Block =>
  facts(
    ...names.map((name): [string, string] => [
      label,
      looksLikeAddress(name) ? 'a name that looks like an address' : name,
    ]),
  )
export const note = (content: string, tone: 'plain' | 'good' | 'warn' = 'plain'): Block => ({
  kind: 'note',
  tone,
  text: content,
})
export const button = (label: string, url: string): Block => ({ kind: 'button', label, url })
export const steps = (...items: string[]): Block => ({ kind: 'steps', items })
export const quote = (by: string, content: string | null | undefined): Block | null =>
  content?.trim() ? { kind: 'quote', by, text: content.trim() } : null

export const invoiceUrl = (context: TemplateContext, invoiceNumber: string): string =>
  `${context.origin}/invoice/${encodeURIComponent(invoiceNumber)}`
/** Returns `1 hour`, `24 hours`. */
export const countHours = (count: number): string => (count === 1 ? '1 hour' : `${count} hours`)
export const countDays = (count: number): string => (count === 1 ? '1 day' : `${count} days`)
export const notYouWarning = 'If this was not you, reset your password immediately and contact us.'
