import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import { conflict, notAllowed, Refusal } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { changed, notifySessionsChanged } from '#server/live/notify.ts'
import {
  isConfirmedBySecondAdministrator,
  needsSecondAdministrator,
  notifyOwners,
} from '#server/session/administrators.ts'
import type { SessionUser } from '#server/session/session.ts'
import { parseDays, type SettingSection, settingSections } from '../admin-contract.ts'
import type { LegalDocument, SettingKey } from '../contract.ts'
import { legalDefaults } from './legal-defaults.ts'
import * as settings from './service.ts'
import { versionOf } from './version.ts'

type Part = Record<string, unknown>
/** How a section is stored: as a setting or as part of one. `read` extracts the section; `merge` returns the setting with the changed section. */
type SectionMapping = { key: SettingKey; read: (whole: never) => Part; merge: (whole: never, part: never) => unknown }
const wholeSetting = (key: SettingKey): SectionMapping => ({
  key,
  read: (whole: Part) => whole,
  merge: (_: Part, part: Part) => part,
})
const siteFields = (...fields: string[]): SectionMapping => ({
  key: 'site',
  read: (site: Part) => Object.fromEntries(fields.map((field) => [field, site[field]])),
  merge: (site: Part, part: Part) => ({ ...site, ...part }),
})
const legalText = (document: LegalDocument): SectionMapping => ({
  key: 'legal',
  read: (texts: Record<LegalDocument, string>) => ({ text: texts[document] }),
  merge: (texts: Part, { text }: { text: string }) => ({ ...texts, [document]: text }),
})
type Claims = { claims: Part & { trialHours: string } }

const mappings: Record<SettingSection, SectionMapping> = {
  contact: siteFields('contact'),
  apps: siteFields('apps', 'playerUrl', 'setup'),
  payments: wholeSetting('payments'),
  invoices: wholeSetting('invoices'),
  'payment-desk': wholeSetting('paymentDesk'),
  referrals: wholeSetting('referrals'),
  renewals: {
    key: 'renewals',
    read: ({ reminderDays, ...rest }: Part & { reminderDays: number[] }) => ({
      ...rest,
      reminderDays: reminderDays.join(', '),
    }),
    merge: (_: Part, { reminderDays, ...rest }: Part & { reminderDays: string }) => ({
      ...rest,
      reminderDays: parseDays(reminderDays),
    }),
  },
  claims: {
    key: 'site',
    read: ({ claims: { trialHours: _, ...claims } }: Claims) => ({ claims }),
    merge: (site: Claims, part: Claims) => ({ ...site, claims: { ...site.claims, ...part.claims } }),
  },
  trials: {
    key: 'site',
    read: ({ claims: { trialHours } }: Claims) => ({ claims: { trialHours } }),
    merge: (site: Claims, part: Claims) => ({ ...site, claims: { ...site.claims, ...part.claims } }),
  },
  socials: siteFields('socials'),
  chat: {
    key: 'site',
    read: ({ chat }: { chat: Part }) => chat,
    merge: (site: Part, chat: Part) => ({ ...site, chat }),
  },
  accounts: wholeSetting('accounts'),
  terms: legalText('terms'),
  privacy: legalText('privacy'),
  'refund-policy': legalText('refund-policy'),
  cookies: legalText('cookies'),
  dmca: legalText('dmca'),
}

export type StoredSetting = { version: string; value: Part; standard?: string }
function stored(section: SettingSection, value: Part): StoredSetting {
  const standard = Object.hasOwn(legalDefaults, section) ? legalDefaults[section as LegalDocument] : undefined
  return { version: versionOf(value), value, ...(standard !== undefined && { standard }) }
}

/** Reads a stored section over the defaults, without overrides from the environment. */
export async function readSection(db: Db, section: SettingSection): Promise<StoredSetting> {
  const { key, read } = mappings[section]
  return stored(section, read((await settings.read(db, key)) as never))
}

/**
 * `selfApproval` false: another administrator must request the same payment accounts, or the same higher limit for two administrators, before they take
 * effect.
 */
type Editor = { admin: SessionUser; requestId: string; selfApproval: boolean }

/**
 * Replaces a section, writes an audit entry and notifies all processes and admin pages. Throws 400 with the invalid fields, 403 for the
 * section `accounts` unless an owner changes it, and 409
 * when the version is outdated or another administrator must confirm the change first.
 */
export async function updateSection(
  db: Db,
  section: SettingSection,
  { version, value }: { version: string; value: Part },
  editor: Editor,
): Promise<StoredSetting> {
  if (section === 'accounts' && !editor.admin.permissions.includes('staff.manage'))
    return notAllowed('Only an owner can change how administrators log in.', 'no_permission')
  const { key, read, merge } = mappings[section]
  const part = validated(section, value)
  const saved = await inTransaction(db, async (tx) => {
    // An advisory lock, since the row may not exist yet.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('setting'), hashtext(${key}))`)
    const before = await settings.read(tx, key)
    if (versionOf(read(before as never)) !== version)
      return conflict(
        'stale',
        'Another administrator has changed these settings. Nothing was saved; please review the current settings.',
      )
    const after = merge(before as never, part as never)
    if (section === 'payments' && !(await isPayeeConfirmed(tx, before as never, after as never, editor)))
      return undefined
    if (section === 'payment-desk' && !(await isHigherLimitConfirmed(tx, before as never, after as never, editor)))
      return undefined
    if (versionOf(read(after as never)) !== version)
      await settings.writeSetting(tx, key, after as never, editor.admin.id, editor.requestId)
    if (section === 'accounts') await reconnectAdministrators(tx)
    await changed(tx, 'setting')
    return read((await settings.read(tx, key)) as never)
  })
  // Clears the cache of this process; other processes are notified.
  settings.clearCache()
  return stored(section, saved ?? needsSecondAdministrator())
}

/** Makes the sockets of administrators reconnect, since their permissions may depend on the setting. */
async function reconnectAdministrators(tx: Tx): Promise<void> {
  const everyone = await tx
    .select({ id: users.id })
    .from(users)
    .where(sql`${users.role} = 'admin'`)
    .orderBy(users.id)
    .limit(limits.lists.maximum)
  for (const { id } of everyone) await notifySessionsChanged(tx, id)
}

type Handles = { cashtag: string; venmoHandle: string }
/** Emails all owners about changed payment accounts. Returns false if another administrator must confirm the change first. */
async function isPayeeConfirmed(
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
  await notifyOwners(tx, { event: 'payments_changed', about, actor: admin, key: requestId })
  return true
}

type DeskLimit = { secondPersonDollars: number }
/**
 * Emails all owners if the amount above which payments need two administrators is raised, or set to never. Returns false if another administrator must
 * confirm this change first.
 */
async function isHigherLimitConfirmed(
  tx: Tx,
  { secondPersonDollars: before }: DeskLimit,
  { secondPersonDollars: after }: DeskLimit,
  { admin, requestId, selfApproval }: Editor,
): Promise<boolean> {
  if (before === 0 || (after !== 0 && after <= before)) return true
  const about = `Before: above $${before}. Now: ${after === 0 ? 'never' : `above $${after}`}`
  const request = { action: 'payments' as const, target: 'second-person', what: after, about }
  if (!selfApproval && !(await isConfirmedBySecondAdministrator(tx, request, { admin, requestId }))) return false
  await notifyOwners(tx, { event: 'second_person_changed', about, actor: admin, key: requestId })
  return true
}

function validated(section: SettingSection, value: Part): Part {
  const result = z.safeParse(settingSections[section], value)
  if (result.success) return result.data as Part
  const issues = result.error.issues.map((issue) => ({
    path: ['value', ...issue.path].join('.'),
    message: issue.message,
  }))
  throw new Refusal(400, 'invalid', issues[0]!.message, { issues })
}
