import { and, eq } from 'drizzle-orm'
import { archiveDelayMs } from '#features/guide/archive-rules.ts'
import { progressRef, resumePosition } from '#features/watch-progress/rules.ts'
import type { Tx } from '#server/db/connect.ts'
import { watchProgress } from '#server/db/tables.ts'
import type { Recording } from './offered-stream.ts'

/** The recording from where the customer left it, if it is opened at its start and was not watched to the end. */
export async function whereLeft(
  tx: Tx,
  { userId, channelId }: { userId: number; channelId: number },
  recording: Recording,
): Promise<Recording> {
  const { startsAt } = recording
  if (recording.at !== startsAt) return recording
  const [left] = await tx
    .select({ positionMs: watchProgress.positionMs })
    .from(watchProgress)
    .where(
      and(
        eq(watchProgress.userId, userId),
        eq(watchProgress.kind, 'catchup'),
        eq(watchProgress.ref, progressRef({ channelId, startsAt })),
        eq(watchProgress.done, false),
      ),
    )
  if (!left) return recording
  const start = Date.parse(startsAt)
  const at = Math.max(start, Math.min(start + resumePosition(left.positionMs), Date.now() - archiveDelayMs))
  return { ...recording, at: new Date(at).toISOString(), isResumed: true }
}
