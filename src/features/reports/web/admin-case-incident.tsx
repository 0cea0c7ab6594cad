import { useQuery } from '@tanstack/react-query'
import { listIncidents, openCaseIncident } from '#features/incidents/admin-contract.ts'
import { getStatus } from '#features/incidents/contract.ts'
import { messageOf } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { FormError } from '#web/ui/form/form-error.tsx'
import { toast } from '#web/ui/toast/toast.ts'

/** A button that publishes a case on the status page, or a text if the status page already shows it. */
export function AdminCaseIncident({ caseId }: { caseId: number }) {
  const { data: incidents = [] } = useQuery(query(listIncidents))
  const send = useSend(openCaseIncident, [listIncidents, getStatus])
  const open = incidents.find((each) => each.caseId === caseId && !each.endedAt && !each.withdrawnAt)
  if (open) return <p className="mt-5 text-fg-2">The status page shows “{open.title}”.</p>
  return (
    <div className="mt-5 grid justify-items-start gap-2">
      <Button
        variant="line"
        pending={send.isPending}
        onClick={() =>
          send.mutate(
            { params: { caseId } },
            {
              onSuccess: ({ title }) => toast({ title: 'Published', description: `The status page shows “${title}”.` }),
            },
          )
        }
      >
        Show on the Status Page
      </Button>
      {send.error && <FormError message={messageOf(send.error)} />}
    </div>
  )
}
