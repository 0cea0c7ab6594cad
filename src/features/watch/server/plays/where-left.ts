import { and, eq } from 'drizzle-orm'
import { archiveDelayMs } from '#features/guide/archive-rules.ts'
import { progressRef, resumePosition } from '#features/watch-progress/rules.ts'
import type { Tx } from '#server/db/connect.ts'
import { watchProgress } from '#server/db/tables.ts'
import type { Recording } from './offered-stream.ts'

// The feature `watch-progress` is above this one and writes this table, because it checks a position as if the recording was opened. A service may read
// every table: here it is read in the transaction that opens the play, so that the address of the panel already begins at this position.
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
