import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import {
  guideSources,
  importRows,
  lineMoves,
  lines,
  mails,
  panels,
  paymentMails,
  paymentProcessorSecrets,
  settingSecrets,
  trialRequests,
  twoFactor,
  users,
  webhookSecrets,
  webhooks,
} from '../db/tables.ts'

/**
 * A column with sealed values, as returned by `seal`. `id` identifies the row; `context` returns the encryption context of that row.
 */
export type SealedColumn<Id extends string | number = never, Context extends string = string> = {
  table: PgTable
  column: PgColumn
  id: PgColumn
  context: (id: Id) => Context
}

const column = <Id extends string | number, Context extends string>(
  table: PgTable,
  sealed: PgColumn,
  id: PgColumn,
  context: (id: Id) => Context,
): SealedColumn<Id, Context> => ({ table, column: sealed, id, context })

/**
 * All columns with sealed values. Add new ones here and use `sealedColumns.….context(id)`. The command `rotate-key` processes all of them, and the type of
 * `seal` accepts no other contexts.
 */
export const sealedColumns = {
  iptvPassword: column(users, users.iptvPassword, users.id, (id: number) => `users:${id}:iptv_password` as const),
  trialPassword: column(
    trialRequests,
    trialRequests.trialPassword,
    trialRequests.id,
    (id: number) => `trial_requests:${id}:trial_password` as const,
  ),
  twoFactorSecret: column(
    twoFactor,
    twoFactor.secret,
    twoFactor.userId,
    (id: number) => `two_factor:${id}:secret` as const,
  ),
  linePassword: column(lines, lines.password, lines.userId, (userId: number) => `lines:${userId}:password` as const),
  movedLinePassword: column(
    lineMoves,
    lineMoves.otherPassword,
    lineMoves.id,
    (id: number) => `line_moves:${id}:other_password` as const,
  ),
  mailLink: column(mails, mails.sealed, mails.dedupeKey, (dedupeKey: string) => `mail:${dedupeKey}` as const),
  paymentMail: column(
    paymentMails,
    paymentMails.sealed,
    paymentMails.sourceKey,
    (sourceKey: string) => `payment_mails:${sourceKey}:sealed` as const,
  ),
  importedLinePassword: column(
    importRows,
    importRows.linePassword,
    importRows.rowKey,
    (rowKey: string) => `import_rows:${rowKey}:line_password` as const,
  ),
  processorSecret: column(
    paymentProcessorSecrets,
    paymentProcessorSecrets.sealed,
    paymentProcessorSecrets.id,
    (id: string) => `payment_processor_secrets:${id}:sealed` as const,
  ),
  guideAddress: column(
    guideSources,
    guideSources.sealed,
    guideSources.id,
    (id: number) => `guide_sources:${id}:sealed` as const,
  ),
  webhookTarget: column(webhooks, webhooks.sealed, webhooks.id, (id: string) => `webhooks:${id}:sealed` as const),
  webhookSecret: column(
    webhookSecrets,
    webhookSecrets.sealed,
    webhookSecrets.id,
    (id: string) => `webhook_secrets:${id}:sealed` as const,
  ),
  panelKey: column(panels, panels.key, panels.id, (id: number) => `panels:${id}:key` as const),
  settingSecret: column(
    settingSecrets,
    settingSecrets.sealed,
    settingSecrets.name,
    (name: string) => `setting_secrets:${name}:sealed` as const,
  ),
}

/** Contexts of sealed values that expire within seconds, so that key rotation can ignore them. */
export const transientContexts = {
  visitors: (process: string) => `presence:${process}:visitors` as const,
}

type Contexts = typeof sealedColumns & {
  [Name in keyof typeof transientContexts]: { context: (typeof transientContexts)[Name] }
}
/** The encryption contexts that `seal` accepts. */
export type SealContext = { [Name in keyof Contexts]: ReturnType<Contexts[Name]['context']> }[keyof Contexts]
