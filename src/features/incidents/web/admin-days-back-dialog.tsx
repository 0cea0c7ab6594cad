import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Note } from '#web/ui/note.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { AdminIncident } from '../admin-contract.ts'
import { listGivenDays } from '../admin-days-contract.ts'
import { AdminGiftProgress } from './admin-gift-progress.tsx'
import { DaysBackForm } from './days-back-form.tsx'

interface Props {
  incident: AdminIncident
  returnTo: () => HTMLElement | null
}

/** A dialog that gives days back to customers after an incident, and shows the days already given. Open on first render; give it a new key for each opening. */
export function AdminDaysBackDialog({ incident, returnTo }: Props) {
  const [open, setOpen] = useState(true)
  const { data, error, isFetching, refetch } = useQuery({
    ...query(listGivenDays, { params: { incidentId: incident.id } }),
    enabled: open,
  })
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title="Give Days Back"
      description={incident.title}
      returnTo={returnTo}
      footer={
        <Button variant="line" onClick={() => setOpen(false)}>
          Close
        </Button>
      }
    >
      {error && (
        <Note
          tone="bad"
          role="alert"
          action={
            <Button variant="line" size="sm" pending={isFetching} onClick={() => void refetch()}>
              Retry
            </Button>
          }
        >
          {messageOf(error)}
        </Note>
      )}
      {!data && !error && <Skeleton className="h-60" />}
      {data && data.gifts.length > 0 && (
        <ul aria-label="Days given" className="mb-5 divide-y divide-line">
          {data.gifts.map((gift) => (
            <AdminGiftProgress key={gift.id} gift={gift} />
          ))}
        </ul>
      )}
      {data && <DaysBackForm key={data.gifts.length} incident={incident} days={data} />}
    </Dialog>
  )
}
