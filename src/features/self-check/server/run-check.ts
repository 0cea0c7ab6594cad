import { and, eq, sql } from 'drizzle-orm'
import { readDirectHosts } from '#features/watch/server/direct/direct-setting.ts'
import type { RelayContext } from '#features/watch/server/relay/play.ts'
import { relayOf } from '#features/watch/server/relay/relay.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { selfChecks } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import type { CheckResult, ServerFacts } from '../contract.ts'
import { checkLineLogin } from './check-line-login.ts'
import { notProbed, probeChannel } from './probe-channel.ts'
import { readChannel, readCustomer, readScreens, type Viewer } from './read-customer.ts'
import { readOtherViewers } from './read-other-viewers.ts'

/**
 * Checks everything from the customer's account to the channel, and stores the facts. Reads the channel on the customer's line only if a screen is free. Throws
 * 404 for a channel that is not offered.
 */
export async function runCheck(
  { db, context }: { db: Db; context: RelayContext },
  viewer: Viewer,
  channelId: number | undefined,
): Promise<CheckResult> {
  const { config } = context
  const channel = channelId === undefined ? undefined : await readChannel(db, channelId, viewer.country)
  const { account, accountUntil, kind, line, connections } = await readCustomer(db, config, viewer.userId)
  const mayProbe = line !== undefined && channel?.place === 'ok'
  const { id, screens, probes } = await beginCheck(db, viewer, { channelId, connections, mayProbe })
  const hosts = probes ? await readDirectHosts(db) : []
  const [lineLogin, { probe, segments }, others] = await Promise.all([
    line ? checkLineLogin(config, viewer.userId, line) : ({ login: 'not_asked', panelMs: null } as const),
    line && channel && probes ? probeChannel(config, line, { ...channel, hosts }) : notProbed,
    readOtherViewers(db, viewer.userId, channel),
  ])
  const facts: ServerFacts = {
    at: new Date().toISOString(),
    channelName: channel?.name ?? null,
    account,
    accountUntil,
    line: { kind, login: lineLogin.login },
    panelMs: lineLogin.panelMs,
    screens,
    place: channel?.place ?? 'ok',
    ...others,
    probe,
    relay: relayState(context),
    directHost: hosts.indexOf(segments.at(-1)?.host ?? '') + 1 || null,
  }
  await db.update(selfChecks).set({ facts }).where(eq(selfChecks.id, id))
  const onHost = segments.filter(({ host }) => host === segments.at(-1)!.host).map(({ href }) => href)
  const direct = facts.directHost ? { loader: `/direct/check/${id}/loader.js`, segments: onHost } : null
  return { id, sample: `/stream/check/${id}`, direct, device: viewer.device, facts }
}

function relayState(context: RelayContext): ServerFacts['relay'] {
  const { running } = relayOf(context).traffic
  const { streamMost } = context.config
  return running >= streamMost ? 'full' : running >= streamMost * 0.9 ? 'busy' : 'ok'
}

type NewCheck = { channelId: number | undefined; connections: number; mayProbe: boolean }
/**
 * Stores a new check. `probes`: whether it may read the channel, because plays and other checks leave a screen free. The lock that plays take makes this count
 * exact.
 */
async function beginCheck(db: Db, viewer: Viewer, { channelId, connections, mayProbe }: NewCheck) {
  const { userId, device } = viewer
  return inTransaction(db, async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('plays'), ${userId})`)
    const screens = await readScreens(tx as never, viewer, connections)
    const [probing] = await tx
      .select({ count: sql<number>`count(*)::int` })
      .from(selfChecks)
      .where(
        and(
          eq(selfChecks.userId, userId),
          eq(selfChecks.probes, true),
          sql`${selfChecks.createdAt} > now() - make_interval(secs => ${limits.selfCheck.probeSeconds})`,
          sql`${selfChecks.facts} is null`,
        ),
      )
    const probes = mayProbe && !screens.playsHere && screens.used + probing!.count < connections
    const [check] = await tx
      .insert(selfChecks)
      .values({ userId, device, probes, ...(channelId !== undefined && { channelId }) })
      .returning({ id: selfChecks.id })
    return { id: check!.id, screens, probes }
  })
}

/** Deletes old checks. Returns how many checks. */
export async function removeOldChecks(db: Db): Promise<number> {
  const old = sql`${selfChecks.createdAt} < now() - make_interval(days => ${limits.selfCheck.keptDays})`
  return (await db.delete(selfChecks).where(old)).rowCount ?? 0
}
