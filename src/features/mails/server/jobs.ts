import { and, asc, inArray, isNotNull, lt, ne, sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { mails } from '#server/db/tables.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { startWorkerLoop, type WorkerLoop } from '#server/jobs/worker-loop.ts'
import { limits } from '#server/limits.ts'
import { type Post, sendMails } from './service/send-mails.ts'

export type Outbox = Omit<WorkerLoop, 'run'> & { jobs: Job[] }

/** Sends mails as soon as one is queued (`wake`), and every minute what has to be tried again. `stop` waits for what is on its way. */
export function openOutbox(post: Post): Outbox {
  const { run, ...worker } = startWorkerLoop({
    log: post.log,
    failureMessage: 'mails could not be sent',
    round: (signal) => sendMails(post, signal),
  })
  return {
    ...worker,
    jobs: [
      { name: 'send-mails', cron: '* * * * *', run },
      { name: 'forget-mail-links', cron: '17 3 * * *', run: () => forgetLinks(post.db) },
      { name: 'forget-mails', cron: '27 3 * * *', run: () => forgetMails(post.db) },
    ],
  }
}

/** Links of mails that never left are dropped after a week: their tokens are long over. */
async function forgetLinks(db: Db): Promise<number> {
  const old = sql`${mails.createdAt} < now() - make_interval(days => ${limits.mail.linksKeptDays})`
  const forgotten = await db
    .update(mails)
    .set({ sealed: null })
    .where(and(isNotNull(mails.sealed), inArray(mails.status, ['kept', 'failed']), old))
    .returning({ id: mails.id })
  return forgotten.length
}

/** The log remembers a little more than a year; what still waits to be sent stays. A few thousand rows at a time, so that nobody waits for a lock. */
async function forgetMails(db: Db, atOnce = 5_000): Promise<number> {
  let forgotten = 0
  for (let found = atOnce; found === atOnce; forgotten += found) {
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
      .limit(atOnce)
    found = (await db.delete(mails).where(inArray(mails.id, old))).rowCount ?? 0
  }
  return forgotten
}
