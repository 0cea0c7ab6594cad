import { and, eq, isNull, sql } from 'drizzle-orm'
import { isUuid } from '#kit/text.ts'
import { plays } from '#server/db/tables.ts'
import type { AppContext } from '#server/http/route.ts'
import { limits } from '#server/limits.ts'
import { aliveEveryMs } from '../../direct-rules.ts'
import { directHosts } from './direct-setting.ts'
import { loaderScript } from './loader-script.ts'

const { playlistBytes: maxPlaylist, segmentBytes: maxSegment } = limits.relay
const script = loaderScript({ aliveEveryMs, maxPlaylist, maxSegment })

/**
 * Serves the worker that loads the stream of a running play from the panel. Its Content Security Policy permits requests to the hosts of the setting and
 * nothing else. Returns 404 for any play whose stream the page does not load itself.
 */
export async function serveLoader({ db }: Pick<AppContext, 'db'>, playId: string): Promise<Response> {
  const [play] = isUuid(playId)
    ? await db
        .select({ hosts: directHosts, isDirect: sql<boolean>`${plays.direct} = 'direct'` })
        .from(plays)
        .where(and(eq(plays.id, playId), isNull(plays.endedAt)))
    : []
  return workerResponse(script, play?.isDirect ? play.hosts : [])
}

/** Returns the response with a worker script that may send requests to these hosts and nothing else; 404 if `hosts` is empty. */
export function workerResponse(workerScript: string, hosts: readonly string[]): Response {
  if (hosts.length === 0)
    return Response.json(
      { message: 'Not found', code: 'not_found' },
      { status: 404, headers: { 'cache-control': 'no-store' } },
    )
  const sources = hosts.map((host) => `https://${host}`).join(' ')
  return new Response(workerScript, {
    headers: {
      'content-type': 'text/javascript; charset=utf-8',
      'content-security-policy': `default-src 'none'; connect-src ${sources}`,
      'cache-control': 'no-store',
    },
  })
}
