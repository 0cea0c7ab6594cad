import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import { conflict, Refusal } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { notifyAdmins, notifyUser } from '#server/live/notify.ts'
import {
  isConfirmedBySecondAdministrator,
  mailAdministrators,
  needsSecondAdministrator,
} from '#server/session/administrators.ts'
import type { SessionUser } from '#server/session/session.ts'
import { daysIn, getSetting, type SettingSection, settingSections } from '../admin-contract.ts'
import { getPaymentMethods, getSite, type LegalDocument, type SettingKey } from '../contract.ts'
import { legalDefaults } from './legal-defaults.ts'
import * as settings from './service.ts'

type Part = Record<string, unknown>
/** Where a section is kept: a key of the settings, some fields of it, or a part inside one of these. */
type Place = { key: SettingKey; of: (whole: never) => Part; into: (whole: never, part: never) => unknown }
const wholeOf = (key: SettingKey): Place => ({ key, of: (whole: Part) => whole, into: (_: Part, part: Part) => part })
const fieldsOf = (...fields: string[]): Place => ({
  key: 'site',
  of: (site: Part) => Object.fromEntries(fields.map((field) => [field, site[field]])),
  into: (site: Part, part: Part) => ({ ...site, ...part }),
})
const textOf = (document: LegalDocument): Place => ({
  key: 'legal',
  of: (texts: Record<LegalDocument, string>) => ({ text: texts[document] }),
  into: (texts: Part, { text }: { text: string }) => ({ ...texts, [document]: text }),
})
type Claims = { claims: Part & { trialHours: string } }

const places: Record<SettingSection, Place> = {
  brand: fieldsOf('brand', 'contact'),
  apps: fieldsOf('apps', 'playerUrl', 'setup'),
  payments: wholeOf('payments'),
  invoices: wholeOf('invoices'),
  referrals: wholeOf('referrals'),
  renewals: {
    key: 'renewals',
    of: ({ reminderDays, ...rest }: Part & { reminderDays: number[] }) => ({
      ...rest,
      reminderDays: reminderDays.join(', '),
    }),
    into: (_: Part, { reminderDays, ...rest }: Part & { reminderDays: string }) => ({
      ...rest,
      reminderDays: daysIn(reminderDays),
    }),
  },
  claims: {
    key: 'site',
    of: ({ claims: { trialHours: _, ...claims } }: Claims) => ({ claims }),
    into: (site: Claims, part: Claims) => ({ ...site, claims: { ...site.claims, ...part.claims } }),
  },
  trials: {
    key: 'site',
    of: ({ claims: { trialHours } }: Claims) => ({ claims: { trialHours } }),
    into: (site: Claims, part: Claims) => ({ ...site, claims: { ...site.claims, ...part.claims } }),
  },
  socials: fieldsOf('socials'),
  chat: { key: 'site', of: ({ chat }: { chat: Part }) => chat, into: (site: Part, chat: Part) => ({ ...site, chat }) },
  accounts: wholeOf('accounts'),
  terms: textOf('terms'),
  privacy: textOf('privacy'),
  'refund-policy': textOf('refund-policy'),
  cookies: textOf('cookies'),
  dmca: textOf('dmca'),
}

export type StoredSetting = { version: string; value: Part; standard?: string }
/** A value is its own version: whoever saves says which one was on the screen, and other sections of the same key play no part. */
const versionOf = (value: Part): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)
function stored(section: SettingSection, value: Part): StoredSetting {
  const standard = Object.hasOwn(legalDefaults, section) ? legalDefaults[section as LegalDocument] : undefined
  return { version: versionOf(value), value, ...(standard !== undefined && { standard }) }
}

/** A section as it is kept, over the defaults; what the environment says plays no part. */
export async function readSection(db: Db, section: SettingSection): Promise<StoredSetting> {
  const { key, of } = places[section]
  return stored(section, of((await settings.read(db, key)) as never))
}

/** `selfApproval` false: another administrator has to ask for the same payment accounts before they are shown to customers. */
type Editor = { admin: SessionUser; requestId: string; selfApproval: boolean }

/**
 * Replaces a section that still is as it was read, notes what changed and tells every process and every administrator's page.
 * Throws 400 with the fields that do not fit, 409 when the section was changed since it was
 * read, and for a change that another administrator has to confirm first.
 */
export async function updateSection(
  db: Db,
  section: SettingSection,
  { version, value }: { version: string; value: Part },
  editor: Editor,
): Promise<StoredSetting> {
  const { key, of, into } = places[section]
  const part = fitting(section, value)
  const saved = await inTransaction(db, async (tx) => {
    // The row may not be there yet, so the key itself is what two administrators wait for.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('setting'), hashtext(${key}))`)
    const before = await settings.read(tx, key)
    if (versionOf(of(before as never)) !== version)
      return conflict(
        'stale',
        'Somebody else changed these settings meanwhile. Nothing was saved; please look at them again before you change them.',
      )
    const after = into(before as never, part as never)
    if (section === 'payments' && !(await mayPayTo(tx, before as never, after as never, editor))) return undefined
    if (versionOf(of(after as never)) !== version)
      await settings.write(tx, key, after as never, editor.admin.id, editor.requestId)
    if (section === 'accounts') await reconnectAdministrators(tx)
    await notifyAdmins(tx, [getSetting.id, getSite.id, getPaymentMethods.id])
    return of((await settings.read(tx, key)) as never)
  })
  // This process knows at once; the others hear of it.
  settings.forget()
  return stored(section, saved ?? needsSecondAdministrator())
}

/** Their rights may depend on the setting: their sockets come back as who they are now. */
async function reconnectAdministrators(tx: Tx): Promise<void> {
  const everyone = await tx
    .select({ id: users.id })
    .from(users)
    .where(sql`${users.role} = 'admin'`)
    .orderBy(users.id)
    .limit(limits.lists.maximum)
  for (const { id } of everyone) await notifyUser(tx, id, [])
}

type Handles = { cashtag: string; venmoHandle: string }
/** Tells all administrators of changed payment accounts. False when another administrator has to confirm them first. */
async function mayPayTo(
  tx: Tx,
  before: Handles,
  after: Handles,
  { admin, requestId, selfApproval }: Editor,
): Promise<boolean> {
  const { cashtag, venmoHandle } = after
  if (cashtag === before.cashtag && venmoHandle === before.venmoHandle) return true
  const about = `Cash App ${cashtag || 'none'}, Venmo ${venmoHandle || 'none'}`
  const act = { admin, requestId }
  if (
    !selfApproval &&
    !(await isConfirmedBySecondAdministrator(
      tx,
      { action: 'payments', target: 'payments', what: [cashtag, venmoHandle], about },
      act,
    ))
  )
    return false
  await mailAdministrators(tx, { event: 'payments_changed', about, actor: admin, key: requestId })
  return true
}

function fitting(section: SettingSection, value: Part): Part {
  const result = z.safeParse(settingSections[section], value)
  if (result.success) return result.data as Part
  const issues = result.error.issues.map((issue) => ({
    path: ['value', ...issue.path].join('.'),
    message: issue.message,
  }))
  throw new Refusal(400, 'invalid', issues[0]!.message, { issues })
}
