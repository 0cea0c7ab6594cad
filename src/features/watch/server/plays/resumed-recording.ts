import { and, eq } from 'drizzle-orm'
import { archiveDelayMs } from '#features/guide/archive-rules.ts'
import { progressRef, resumePosition } from '#features/watch-progress/rules.ts'
import type { Tx } from '#server/db/connect.ts'
import { watchProgress } from '#server/db/tables.ts'
import type { Recording } from './offered-stream.ts'

// The feature `watch-progress` writes this table. It depends on this feature, because it checks a position in the same way as an opened recording. A service
// may read every table. This one is read in the transaction that opens the play, so that the address on the panel already begins at the stored position.
/**
 * Returns the recording with `at` set to where the customer stopped, if it is opened at its start and was not watched to the end. Otherwise returns it
 * unchanged.
 */
export async function resumedRecording(
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
