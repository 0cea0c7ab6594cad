import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import * as z from 'zod/mini'

/** Thrown if the folder as a whole cannot be checked. */
export class UnusableFolderError extends Error {}

const text = z.nullish(z.string())
const number = z.nullish(z.number())
const accounts = z.object({
  names: z._default(z.array(z.string()), []),
  handles: z._default(z.array(z.string()), []),
  addresses: z._default(z.array(z.string()), []),
  accounts: z._default(z.array(z.string()), []),
})
const world = z.object({
  now: z.string(),
  timeZone: z.string(),
  notePrefix: z.string(),
  currency: z._default(z.string(), 'USD'),
  mailbox: z.object({ authservIds: z._default(z.array(z.string()), []) }),
  identities: z.record(z.string(), accounts),
  auto: z.object({
    mode: z.enum(['off', 'shadow', 'on']),
    rails: z.array(z.string()),
    maxCents: z.number(),
    perDay: z.number(),
    perPayerDay: z.number(),
    perDayCents: z._default(z.number(), 250_000),
    perCustomerDay: z._default(z.number(), 1),
  }),
  customers: z.array(
    z.object({ username: z.string(), fullName: z.string(), role: z._default(z.string(), 'user'), referrer: text }),
  ),
  invoices: z.array(
    z.object({
      number: z.string(),
      customer: z.string(),
      amount: z.number(),
      status: z.enum(['draft', 'pending', 'paid', 'cancelled', 'expired', 'refunded']),
      phrase: text,
      paymentMethod: z.nullish(z.enum(['cashapp', 'venmo', 'creditcard'])),
      confirmationCode: text,
      submittedAt: text,
      createdAt: z.string(),
      expiresAt: z.string(),
      uniqueCents: z.nullish(z.boolean()),
      outdated: z.nullish(z.boolean()),
      paidBy: text,
    }),
  ),
  referenceHistory: z._default(z.array(z.object({ phrase: text, until: z.string() })), []),
  payers: z._default(
    z.array(z.object({ rail: z.string(), handle: text, name: text, customer: z.string(), confirmations: z.number() })),
    [],
  ),
  book: z._default(
    z.array(
      z.object({
        rail: z.string(),
        providerReference: text,
        amount: z.number(),
        direction: z.nullish(z.enum(['in', 'reversal'])),
        currency: text,
        paidAt: text,
        paidOn: text,
        payerName: text,
        payerHandle: text,
        note: text,
        source: text,
        invoice: text,
      }),
    ),
    [],
  ),
})
export type World = z.output<typeof world>

const fields = z.record(z.string(), z.unknown())
const entry = z.object({
  file: z.string(),
  kind: z.enum(['mail', 'statement']),
  expect: z.looseObject({
    payments: z.nullish(z.array(fields)),
    match: z.nullish(z.array(fields)),
    after: z.nullish(z.union([z.string(), z.array(z.string())])),
    mapping: z.nullish(
      z.object({
        date: z.string(),
        name: z.optional(z.string()),
        note: z.optional(z.string()),
        amount: z.optional(z.string()),
        credit: z.optional(z.string()),
        debit: z.optional(z.string()),
        currency: z.optional(z.string()),
        reference: z.optional(z.string()),
        dateFormat: z._default(z.string(), 'MM/dd/yyyy'),
        decimal: z._default(z.enum(['.', ',']), '.'),
      }),
    ),
    reason: text,
    skipped: number,
  }),
})
export type Entry = z.output<typeof entry>

export type FixtureFolder = {
  entries: Entry[]
  world: World
  dns: Record<string, string>
  read: (file: string) => Uint8Array
}

/** Reads `index.json`, `world.json` and `dns.json`. Throws `UnusableFolderError` with a message that names what is missing or malformed. */
export function readFolder(folder: string): FixtureFolder {
  if (!existsSync(folder)) throw new UnusableFolderError(`${folder}: no such folder`)
  const entries = parsed(folder, 'index.json', z.array(entry))
  const files = new Set(entries.map(({ file }) => file))
  for (const { file, expect } of entries) {
    if (basename(file) !== file || !existsSync(join(folder, file)))
      throw new UnusableFolderError(`index.json names ${file}, which is not in the folder`)
    for (const before of [expect.after ?? []].flat())
      if (!files.has(before))
        throw new UnusableFolderError(`index.json: ${file} comes after ${before}, which has no entry`)
  }
  return {
    entries,
    world: parsed(folder, 'world.json', world),
    dns: parsed(folder, 'dns.json', z.record(z.string(), z.string())),
    read: (file) => readFileSync(join(folder, file)),
  }
}

function parsed<T>(folder: string, name: string, schema: z.ZodMiniType<T>): T {
  const path = join(folder, name)
  if (!existsSync(path)) throw new UnusableFolderError(`${name} is missing`)
  let value: unknown
  try {
    value = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new UnusableFolderError(`${name} is not JSON: ${(error as Error).message}`)
  }
  const result = z.safeParse(schema, value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new UnusableFolderError(`${name}: ${issue?.path.join('.') || 'content'}: ${issue?.message ?? 'malformed'}`)
}
