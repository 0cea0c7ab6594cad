import { and, eq, sql } from 'drizzle-orm'
import { readDirectHosts } from '#features/watch/server/direct/direct-setting.ts'
import { workerResponse } from '#features/watch/server/direct/loader-route.ts'
import { isUuid } from '#kit/text.ts'
import type { Db } from '#server/db/connect.ts'
import { selfChecks } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import type { ServerFacts } from '../contract.ts'
import { hostScript } from './host-script.ts'

const { sampleBytes: maxBytes, hostMs: maxMs } = limits.selfCheck
const script = hostScript({ maxBytes, maxMs })

/**
 * Serves the script of the worker that measures the streaming host of a check. Its content security policy permits requests to that host and nothing else.
 * Responds with 404 from a minute after the check, and if the channel of the check plays through this site.
 */
export async function serveHostLoader(db: Db, checkId: string): Promise<Response> {
  const [[check], hosts] = await Promise.all([isUuid(checkId) ? readFacts(db, checkId) : [], readDirectHosts(db)])
  const { directHost } = (check?.facts ?? {}) as Partial<ServerFacts>
  const host = directHost ? hosts[directHost - 1] : undefined
  return workerResponse(script, host === undefined ? [] : [host])
}

const readFacts = (db: Db, checkId: string) =>
  db
    .select({ facts: selfChecks.facts })
    .from(selfChecks)
    .where(
      and(
        eq(selfChecks.id, checkId),
        sql`${selfChecks.createdAt} > now() - make_interval(secs => ${limits.selfCheck.sampleSeconds})`,
      ),
    )
