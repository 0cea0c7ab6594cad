import type { Topic } from '#kit/topics.ts'
import { type AuditEntry, audit } from '#server/audit.ts'
import type { Tx } from '#server/db/connect.ts'
import { changed, notifyCatalog } from '#server/live/notify.ts'
import type { Editor } from './catalog-resource.ts'

type Change = Pick<AuditEntry, 'action' | 'targetType' | 'targetId' | 'before' | 'after'>
/** Writes the audit entries of a catalog change and notifies all processes and admin pages when the transaction commits. */
export async function publishChange(
  tx: Tx,
  editor: Editor,
  topic: Topic | Topic[],
  ...changes: Change[]
): Promise<void> {
  for (const change of changes) await audit(tx, { ...change, actorId: editor.id, requestId: editor.requestId })
  await notifyCatalog(tx)
  await changed(tx, topic)
}
