import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { lines, mails, settingSecrets, trialRequests, twoFactor, users } from '../db/tables.ts'

/**
 * A column that holds sealed values. `id` finds its row again, `place` is what the value was bound to by `seal`, made of that id.
 * The column holds what `seal` returned and nothing else.
 */
export type SealedColumn<Id extends string | number = never, Place extends string = string> = {
  table: PgTable
  column: PgColumn
  id: PgColumn
  place: (id: Id) => Place
}

const column = <Id extends string | number, Place extends string>(
  table: PgTable,
  sealed: PgColumn,
  id: PgColumn,
  place: (id: Id) => Place,
): SealedColumn<Id, Place> => ({ table, column: sealed, id, place })

/**
 * Every column with sealed values. Who seals in a new place adds a line here and names it with `sealedColumns.….place(id)`;
 * `rotate-key` then reaches it, and `seal` takes no other place.
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
  mailLink: column(mails, mails.sealed, mails.dedupeKey, (dedupeKey: string) => `mail:${dedupeKey}` as const),
  settingSecret: column(
    settingSecrets,
    settingSecrets.sealed,
    settingSecrets.name,
    (name: string) => `setting_secrets:${name}:sealed` as const,
  ),
}

/** Sealed, but gone by itself within seconds: no rotation has to reach it. */
export const passingPlaces = {
  visitors: (process: string) => `presence:${process}:visitors` as const,
}

type Places = typeof sealedColumns & { [Name in keyof typeof passingPlaces]: { place: (typeof passingPlaces)[Name] } }
/** Where a value may be sealed: in a column of `sealedColumns`, or in passing. */
export type SealedPlace = { [Name in keyof Places]: ReturnType<Places[Name]['place']> }[keyof Places]
