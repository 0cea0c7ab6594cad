import { sql } from 'drizzle-orm'
import { requestComparison } from '#features/provisioning/server/drift/compare.ts'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { installation, lineJobs, mails } from '#server/db/tables.ts'
import type { AppContext } from '#server/http/route.ts'
import { declareLive, heldBecause, identityOf, readOwnership } from '#server/installation.ts'
import { changed, notifyLines, notifyLogos, notifyMail, notifyWebhooks } from '#server/live/notify.ts'
import type { InstallationState } from '../admin-contract.ts'

type InstallationContext = Pick<AppContext, 'db' | 'config'>

/** Returns whether this installation is live, and if not, why and how many emails and line jobs are waiting. */
export async function readInstallation({ db, config }: InstallationContext): Promise<InstallationState> {
  const owner = await readOwnership(db)
  const held = heldBecause(await identityOf(db, config), owner)
  const isRecent = owner.otherOpenedAt !== null && held === null && (await wasOpenedWithinADay(db))
  return {
    held,
    restoredAt: owner.restoredAt,
    liveAddress: held === 'place' || held === 'address' ? owner.address : null,
    waiting: held ? await countWaiting(db) : { mails: 0, lineJobs: 0 },
    other: isRecent ? { address: owner.otherAddress, openedAt: owner.otherOpenedAt! } : null,
  }
}

async function wasOpenedWithinADay(db: Db): Promise<boolean> {
  return (await db.$count(installation, sql`${installation.otherOpenedAt} > now() - interval '1 day'`)) > 0
}

/** The queries have literals instead of parameters, so that PostgreSQL can use the partial indexes. */
async function countWaiting(db: Db): Promise<InstallationState['waiting']> {
  return {
    mails: await db.$count(mails, sql`${mails.status} = 'queued'`),
    lineJobs: await db.$count(
      lineJobs,
      sql`${lineJobs.task} is null and ${lineJobs.state} in ('queued', 'sent', 'unknown')`,
    ),
  }
}

/**
 * Declares this the live installation: within seconds, all processes start sending emails, calling the panel and comparing all lines. Audited.
 * Does nothing if it is already live. `actorId` is null for the command line.
 */
export async function goLive(
  { db, config }: InstallationContext,
  { actorId, requestId }: { actorId: number | null; requestId: string },
): Promise<InstallationState> {
  const identity = await identityOf(db, config)
  const isNowLive = await inTransaction(db, async (tx) => {
    await tx.execute(sql`select 1 from installation for update`)
    const owner = await readOwnership(tx)
    const held = heldBecause(identity, owner)
    if (held === null) return false
    await declareLive(tx, identity)
    await audit(tx, {
      actorId,
      action: 'installation.go_live',
      targetType: 'installation',
      targetId: 'this',
      before: { held, address: owner.address },
      after: { held: null, address: identity.address },
      requestId,
    })
    await notifyMail(tx)
    await notifyLines(tx)
    await notifyLogos(tx)
    await notifyWebhooks(tx)
    await changed(tx, 'installation')
    return true
  })
  // A restored backup lacks the changes that were made in the panel after the backup.
  if (isNowLive) await requestComparison(db)
  return readInstallation({ db, config })
}
