import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { messageOf } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Note } from '#web/ui/note.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { getPanelStatus, listLineJobs, retryPanelNow } from '../admin-contract.ts'

const jobs = (count: number) => (count === 1 ? '1 job' : `${count} jobs`)

/** A note about the panel's state: manual provisioning, an outage, or jobs that need an administrator. */
export function PanelStatusNote() {
  const { data: panel } = useQuery(query(getPanelStatus))
  const retry = useSend(retryPanelNow, [getPanelStatus, listLineJobs])
  if (!panel) return null
  const down = panel.panels.filter(({ downSince }) => downSince !== null)
  if (panel.downSince !== null)
    return (
      <Note
        tone="bad"
        className="mb-4"
        action={
          <Button
            size="sm"
            variant="line"
            pending={retry.isPending}
            onClick={() =>
              retry.mutate(
                {},
                {
                  onError: (failure) =>
                    toast({ title: 'Nothing was changed', description: messageOf(failure), variant: 'destructive' }),
                },
              )
            }
          >
            Retry now
          </Button>
        }
      >
        {panel.panels.length > 1 ? down.map(({ name }) => name).join(', ') : 'The panel'}{' '}
        {down.length > 1 ? 'have' : 'has'} not answered since <DateText value={panel.downSince} look="minute" />.{' '}
        {panel.lastFailure} Payments are still confirmed; {jobs(panel.waiting)} {panel.waiting === 1 ? 'waits' : 'wait'}{' '}
        and will be done in order. Next try: <DateText value={panel.restUntil} look="minute" />.
      </Note>
    )
  if (panel.kind === 'manual')
    return (
      <Note className="mb-4">
        Manual provisioning: each job below says what to do in your panel.{' '}
        <Link to="/admin/settings" search={{ section: 'provisioning' }} className="link">
          Connect a panel
        </Link>{' '}
        to create lines automatically.
      </Note>
    )
  if (panel.tasks > 0)
    return (
      <Note
        tone="warn"
        className="mb-4"
      >{`${jobs(panel.tasks)} ${panel.tasks === 1 ? 'needs' : 'need'} your attention.`}</Note>
    )
  return null
}
