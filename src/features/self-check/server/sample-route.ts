import { randomBytes } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { isUuid } from '#kit/text.ts'
import type { Db } from '#server/db/connect.ts'
import { selfChecks } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'

// Random bytes, because a proxy could compress anything else and the connection would look faster than it is.
const noise = randomBytes(64 * 1024)
const maxSamples = 2

/** Responds with the sample of a check. */
export async function serveSample(c: Context, db: Db): Promise<Response> {
  const id = c.req.param('id') ?? ''
  if (c.req.header('sec-fetch-site') === 'cross-site')
    return refused(403, 'foreign_page', 'Only our own pages load this')
  const counted = isUuid(id)
    ? await db
        .update(selfChecks)
        .set({ samples: sql`${selfChecks.samples} + 1` })
        .where(mayLoad(id))
    : null
  if (!counted?.rowCount) return refused(404, 'not_found', 'Not found')
  let left = limits.selfCheck.sampleBytes
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const chunk = noise.subarray(0, Math.min(left, noise.length))
      left -= chunk.length
      controller.enqueue(new Uint8Array(chunk))
      if (left === 0) controller.close()
    },
  })
  return new Response(body, {
    headers: {
      'content-type': 'application/octet-stream',
      'content-length': String(limits.selfCheck.sampleBytes),
      'cache-control': 'no-store',
    },
  })
}

const mayLoad = (id: string) =>
  and(
    eq(selfChecks.id, id),
    sql`${selfChecks.samples} < ${maxSamples}`,
    sql`${selfChecks.createdAt} > now() - make_interval(secs => ${limits.selfCheck.sampleSeconds})`,
  )

const refused = (status: number, code: string, message: string) =>
  Response.json({ message, code }, { status, headers: { 'cache-control': 'no-store' } })
