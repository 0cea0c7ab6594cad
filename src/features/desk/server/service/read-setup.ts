import { sql } from 'drizzle-orm'
import { mailSender } from '#features/mails/server/mail-server/load-smtp.ts'
import * as settings from '#features/settings/server/service.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import type { Setup, SetupStep } from '../../admin-overview-contract.ts'

type State = { isNew: boolean; brand: boolean; provisioning: boolean; secondStep: boolean }

/**
 * Returns which setup steps are done. Manual provisioning counts as done once it has been saved. `second_step` is the two-step verification of the
 * administrator `adminId`.
 */
export async function readSetup(db: Db, config: Pick<Config, 'smtp'>, adminId: number): Promise<Setup> {
  const [{ rows }, { offers, cashtag, venmoHandle }, { kind }, sender] = await Promise.all([
    db.execute<State>(sql`
      select (select id from invoices order by id limit 1) is null as "isNew",
        exists (select from settings where key = 'site') as brand,
        exists (select from settings where key = 'provisioning') as provisioning,
        exists (select from two_factor where user_id = ${adminId} and confirmed_at is not null)
          or exists (select from passkeys where user_id = ${adminId}) as "secondStep"`),
    settings.read(db, 'payments'),
    settings.read(db, 'provisioning'),
    mailSender(db, config),
  ])
  const { isNew, brand, provisioning, secondStep } = rows[0]!
  const steps: [SetupStep, boolean][] = [
    ['brand', brand],
    ['mail', sender !== null],
    ['payments', (!offers.cashapp || cashtag !== '') && (!offers.venmo || venmoHandle !== '')],
    ['panel', kind !== 'manual' || provisioning],
    ['second_step', secondStep],
  ]
  return { isNew, done: steps.filter(([, isDone]) => isDone).map(([step]) => step) }
}
