import * as z from 'zod/mini'
import type { Block } from '#kit/letter.ts'
import type { Desk } from './template.ts'

const day = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', year: 'numeric', timeZone: 'UTC' })
const time = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' })
/** `November 21, 2026`, in UTC. */
export const longDay = (instant: string): string => day.format(new Date(instant))
/** `November 21, 2026, 2:05 PM UTC`. */
export const moment = (instant: string): string => `${longDay(instant)}, ${time.format(new Date(instant))} UTC`

/** An instant that a date can be made of; a mail with another one is broken and fails. */
export const when = z.string().check(z.refine((value) => Number.isFinite(Date.parse(value)), 'must be an instant'))
export const maybeWhen = z.optional(z.nullable(when))
export const words = z.optional(z.nullable(z.string()))
/** What a recovery or a change of password took away. */
export const removedCredentials = z.optional(
  z.object({ passkeys: z.optional(z.array(z.string())), secondFactor: z.optional(z.boolean()) }),
)
/** What mails about an invoice know of it. */
export const invoiceFacts = { invoiceNumber: z.string(), planName: z.string(), amount: z.int() }

/** Whether a mail program would make a link of a name, such as `casino.example` or `www.example`. Such a name is left out of a mail. */
export const isLikeAddress = (name: string): boolean => /[@/:]|\.[a-z]{2,}|^www\b/i.test(name)

/** Drops what is not there, so that templates can write conditions in place. */
export const present = (...blocks: (Block | false | null | undefined | '')[]): Block[] =>
  blocks.filter((block): block is Block => Boolean(block))
/** The same for rows of facts. */
export const rows = (...given: ([string, string | null | undefined] | false)[]): Block => ({
  kind: 'facts',
  rows: given.filter((row): row is [string, string] => row !== false && Boolean(row[1])),
})

export const text = (said: string): Block => ({ kind: 'text', text: said })
/** Says what was removed, where something was. Names are facts, never part of a sentence: an address in a sentence becomes a link. */
export const removedBlocks = ({
  passkeys = [],
  secondFactor,
}: NonNullable<z.output<typeof removedCredentials>> = {}): Block[] =>
  present(
    passkeys.length > 0 && text('These passkeys were removed. You can add your own again under Account Security.'),
    passkeys.length > 0 && passkeyRows(passkeys),
    secondFactor && text('Two-step verification was switched off. You can set it up again under Account Security.'),
  )
export const passkeyRows = (names: string[]): Block =>
  rows(
    ...names.map((name): [string, string] => [
      'Passkey',
      isLikeAddress(name) ? 'a name that looks like an address' : name,
    ]),
  )
export const note = (said: string, tone: 'plain' | 'good' | 'warn' = 'plain'): Block => ({
  kind: 'note',
  tone,
  text: said,
})
export const button = (label: string, url: string): Block => ({ kind: 'button', label, url })
export const steps = (...items: string[]): Block => ({ kind: 'steps', items })
export const quote = (by: string, said: string | null | undefined): Block | null =>
  said?.trim() ? { kind: 'quote', by, text: said.trim() } : null

export const invoiceUrl = (desk: Desk, invoiceNumber: string): string =>
  `${desk.origin}/invoice/${encodeURIComponent(invoiceNumber)}`
/** `1 hour`, `24 hours`. */
export const hours = (count: number): string => (count === 1 ? '1 hour' : `${count} hours`)
export const days = (count: number): string => (count === 1 ? '1 day' : `${count} days`)
export const notYou = 'If this was not you, reset your password at once and write to us.'
