import { History, Users } from 'lucide-react'
import { Badge } from '#web/ui/badge.tsx'
import type { AdminTrialRequest } from '../admin-contract.ts'

/** Badges that indicate repeated trials. They have no effect on the decision. */
export function TrialFlags({ request: { sameMailbox, related } }: { request: AdminTrialRequest }) {
  const trials = related.filter(({ status }) => status === 'approved').length
  return (
    <>
      {sameMailbox.length > 0 && (
        <Badge variant="destructive" title={`The same mailbox also requested a trial as ${sameMailbox.join(', ')}`}>
          <Users />
          Same mailbox
        </Badge>
      )}
      {trials > 0 && (
        <Badge variant="destructive" title="A trial was approved for this customer or mailbox before">
          <History />
          {trials === 1 ? 'Had a trial' : `Had ${trials} trials`}
        </Badge>
      )}
    </>
  )
}
