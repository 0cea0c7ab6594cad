import { and, asc, inArray, isNotNull, lt, ne, sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { mails } from '#server/db/tables.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { startWorkerLoop, type WorkerLoop } from '#server/jobs/worker-loop.ts'
import { limits } from '#server/limits.ts'
import { type SendContext, sendMails } from './service/send-mails.ts'

export type Outbox = Omit<WorkerLoop, 'run'> & { jobs: Job[] }

/** Sends emails as soon as they are queued (`wake`) and retries due emails every minute. `stop` waits for the emails that are being sent. */
export function openOutbox(context: SendContext): Outbox {
  const { run, ...worker } = startWorkerLoop({
    log: context.log,
    failureMessage: 'emails could not be sent',
    round: (signal) => sendMails(context, signal),
  })
  return {
    ...worker,
    jobs: [
      { name: 'send-mails', cron: '* * * * *', run },
      { name: 'forget-mail-links', cron: '17 3 * * *', run: () => deleteOldLinks(context.db) },
      { name: 'forget-mails', cron: '27 3 * * *', run: () => deleteOldMails(context.db) },
    ],
  }
}

/** Deletes the links of unsent emails after a week: their tokens have expired by then. */
async function deleteOldLinks(db: Db): Promise<number> {
  const old = sql`${mails.createdAt} < now() - make_interval(days => ${limits.mail.linksKeptDays})`
  const cleared = await db
    .update(mails)
    .set({ sealed: null })
    .where(and(isNotNull(mails.sealed), inArray(mails.status, ['kept', 'failed']), old))
    .returning({ id: mails.id })
  return cleared.length
}

/** Deletes emails that are older than `limits.mail.keptDays` and not queued, in batches to keep locks short. Returns how many it deleted. */
async function deleteOldMails(db: Db, batchSize = 5_000): Promise<number> {
  let total = 0
  for (let deleted = batchSize; deleted === batchSize; total += deleted) {
    const old = db
      .select({ id: mails.id })
      .from(mails)
      .where(
        and(
          ne(mails.status, 'queued'),
          lt(mails.createdAt, sql`now() - make_interval(days => ${limits.mail.keptDays})`),
        ),
      )
      .orderBy(asc(mails.id))
      .limit(batchSize)
    deleted = (await db.delete(mails).where(inArray(mails.id, old))).rowCount ?? 0
  }
  return total
}
