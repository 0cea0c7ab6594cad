import { and, eq } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { plays } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import type { DirectOutcome } from '../../direct-rules.ts'
import type { Source } from '../relay/open-source.ts'
import type { Play, RelayContext } from '../relay/play.ts'
import { streamRulesOf } from '../relay/stream-rules.ts'
import { findProblems } from './find-problems.ts'

/** Returns the origin of the pages that load streams. */
export const siteOrigin = ({ config }: Pick<RelayContext, 'config'>): string => new URL(config.publicUrl).origin

/**
 * Returns the address after redirects at which the page of a play may load its stream from the panel. Null if the page must not, or if `hosts` is empty. Stores
 * how the play is delivered.
 */
export async function offerDirect(
  context: RelayContext,
  { id, generation, line }: Pick<Play, 'id' | 'generation' | 'line'>,
  source: Source,
  { hosts, signal }: { hosts: readonly string[]; signal: AbortSignal },
): Promise<string | null> {
  if (hosts.length === 0) return null
  const outcome = await directOutcome(context, line, source, { hosts, signal })
  await storeOutcome(context.db, { id, generation }, outcome)
  return outcome === 'direct' ? source.url.href : null
}

/** Returns `direct` if pages may load a stream of this line from `hosts`, otherwise why not. Takes at most `limits.relay.direct.totalMs`. */
export async function directOutcome(
  context: Pick<RelayContext, 'config'>,
  line: Play['line'],
  source: Source,
  { hosts, signal }: { hosts: readonly string[]; signal: AbortSignal },
): Promise<DirectOutcome> {
  if (source.kind === 'transport') return 'no_playlist'
  const [problem] = await findProblems(source, {
    ...{ line, rules: streamRulesOf(context.config, line), hosts, origin: siteOrigin(context) },
    signal: AbortSignal.any([signal, AbortSignal.timeout(limits.relay.direct.totalMs)]),
  })
  return problem?.code ?? 'direct'
}

/** Stores how the stream of a play is delivered, unless the play has changed its channel. */
async function storeOutcome(
  db: Db,
  { id, generation }: { id: string; generation: number },
  outcome: DirectOutcome,
): Promise<void> {
  await db
    .update(plays)
    .set({ direct: outcome })
    .where(and(eq(plays.id, id), eq(plays.generation, generation)))
}
