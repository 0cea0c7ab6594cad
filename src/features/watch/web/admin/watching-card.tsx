import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { LazyConfirmDialog } from '#web/ui/dialog/lazy-confirm-dialog.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Note } from '#web/ui/note.tsx'
import { May } from '#web/ui/permission/may.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { getWatching, rightsStatement, setWatching } from '../../admin-contract.ts'
import { warningDays } from '../../right-rules.ts'
import { PublishLicensed } from './publish-licensed.tsx'

const UnattendedForm = lazy(() =>
  import('./unattended-form.tsx').then((module) => ({ default: module.UnattendedForm })),
)

const countOf = (count: number, noun = 'published channel') => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Shows whether customers can watch in the browser. To turn watching on, an administrator confirms the rights here. */
export function WatchingCard() {
  const { data, error } = useQuery(query(getWatching))
  const [isAsking, setAsking] = useState(false)
  const [isConfirmed, setConfirmed] = useState(false)
  const send = useSend(setWatching, [getWatching])
  if (error) return <Note tone="bad">{messageOf(error)}</Note>
  if (!data) return <Skeleton className="h-40" />
  const isOn = data.enabledAt !== null
  const ask = (open: boolean) => {
    setConfirmed(false)
    setAsking(open)
  }
  const onConfirm = () =>
    send.mutate(
      { body: isOn ? { enabled: false } : { enabled: true, statement: rightsStatement } },
      {
        onSuccess: ({ enabled }) => toast({ title: enabled ? 'Watching is on' : 'Watching is off' }),
        onError: (failure) => toast({ title: 'Not changed', description: messageOf(failure), variant: 'destructive' }),
        onSettled: () => ask(false),
      },
    )

  return (
    <Card
      title="Watching in the browser"
      aside={<Badge variant={isOn ? 'default' : 'neutral'}>{isOn ? 'On' : 'Off'}</Badge>}
      className="mb-6"
    >
      <p>
        {isOn ? (
          <>
            {data.enabledBy ?? 'A former administrator'} confirmed the rights on <DateText value={data.enabledAt} />.
            Customers can watch {countOf(data.published)} on this site.
          </>
        ) : (
          'Customers cannot watch on this site. To turn watching on, confirm that you hold the rights.'
        )}
      </p>
      {data.unlicensed > 0 && (
        <Note tone="bad" className="mt-4">
          {countOf(data.unlicensed)} cannot be watched, because no right is in force.
        </Note>
      )}
      {data.ending > 0 && (
        <Note tone="warn" className="mt-4">
          The rights to {countOf(data.ending)} end within {warningDays} days.
        </Note>
      )}
      {!data.knowsCountries && (
        <Note className="mt-4">
          Rights that are limited to countries need GEOIP_DATABASE to be set. Worldwide rights do not.
        </Note>
      )}
      <May needs="watching.edit">
        <div className="mt-5 flex flex-wrap gap-3">
          <Button variant={isOn ? 'line' : 'primary'} onClick={() => ask(true)}>
            {isOn ? 'Turn Off' : 'Confirm Rights and Turn On'}
          </Button>
          <PublishLicensed />
        </div>
      </May>
      <Suspense fallback={<Skeleton className="mt-6 h-40" />}>
        <UnattendedForm stored={data.unattendedHours} />
      </Suspense>
      <LazyConfirmDialog
        open={isAsking}
        onOpenChange={ask}
        title={isOn ? 'Turn watching off?' : 'Turn watching on?'}
        description={
          isOn
            ? 'All streams stop within seconds. The register and the published channels are kept.'
            : 'Your name, the time and the statement are kept in the audit log.'
        }
        action={isOn ? 'Turn Off' : 'Turn On'}
        destructive={isOn}
        pending={send.isPending}
        disabled={!isOn && !isConfirmed}
        onConfirm={onConfirm}
      >
        {!isOn && (
          <Checkbox
            label={rightsStatement}
            checked={isConfirmed}
            onChange={({ target }) => setConfirmed(target.checked)}
          />
        )}
      </LazyConfirmDialog>
    </Card>
  )
}
