import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { listSetupGuides } from '#features/catalog/contract.ts'
import { markLineUsed } from '#features/provisioning/contract.ts'
import { getSite } from '#features/settings/contract.ts'
import { OpenPlayer } from '#features/subscriptions/web/player/open-player.tsx'
import { messageOf } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { DeviceChoice } from '../../setup/device-choice.tsx'
import { SetupStep } from './setup-step.tsx'

/** The fourth step: set up a device. `ready` is true once the TV login exists. */
export function DeviceStep({ ready }: { ready: boolean }) {
  const { data: site } = useSuspenseQuery(query(getSite))
  const { data: guides = [] } = useQuery(query(listSetupGuides))
  const used = useSend(markLineUsed)
  const finish = () =>
    used.mutate(
      {},
      {
        onError: (failure) => toast({ title: 'Not Saved', description: messageOf(failure), variant: 'destructive' }),
      },
    )
  return (
    <SetupStep number={4} title="Set up your device" state={ready ? 'current' : 'later'}>
      <p>
        {ready
          ? 'The setup guide shows each step. Any player for Xtream logins works with the three values above.'
          : 'You can install the app on your device now and enter the login later.'}
      </p>
      {guides.length > 1 && (
        <Suspense>
          <DeviceChoice guides={guides} />
        </Suspense>
      )}
      <div className="flex flex-wrap gap-2.5 max-sm:*:flex-1">
        {ready && <OpenPlayer running />}
        <ButtonLink to="/setup" variant="line">
          Open Setup Guide
        </ButtonLink>
        {ready && (
          <Button variant="line" pending={used.isPending} onClick={finish}>
            I’m Watching, Close This
          </Button>
        )}
      </div>
      {ready && site.watching && (
        <p className="text-sm">The player runs here in your browser. There is nothing to install.</p>
      )}
    </SetupStep>
  )
}
