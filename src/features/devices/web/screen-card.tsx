import { lazy, Suspense } from 'react'
import { endPlay, listPlays } from '#features/watch/contract.ts'
import { messageOf } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { useIsHydrated } from '#web/ui/hydration/use-is-hydrated.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { type Device, listDevices } from '../contract.ts'
import { DevicePicture } from './device-picture.tsx'

const ProgramScene = lazy(() =>
  import('#web/brand/program-scene.tsx').then((module) => ({ default: module.ProgramScene })),
)

const time = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })

interface Props {
  device?: Device
  number: number
  program?: string
  /** The kind of device that is drawn for a free screen; by default a TV. */
  kind?: Device['kind']
}

/** A screen of the plan: free, or playing with a button that stops the play. */
export function ScreenCard({ device, number, program, kind = 'tv' }: Props) {
  const stop = useSend(endPlay, [listDevices, listPlays])
  const playing = device?.playing
  const isHydrated = useIsHydrated()
  const onStop = (playId: string) =>
    stop.mutate(
      { params: { playId }, query: {} },
      { onError: (error) => toast({ title: 'Failed to stop', description: messageOf(error), variant: 'destructive' }) },
    )
  return (
    <li className="card screen-card">
      <div className="screen-shown">
        <DevicePicture kind={device?.kind ?? kind} isPlaying={playing != null} tone={number} />
        {playing && program && isHydrated && (
          <span data-kind={device!.kind}>
            <Suspense>
              <ProgramScene title={program} category="" />
            </Suspense>
          </span>
        )}
      </div>
      <div className="screen-card-body">
        <div className="screen-card-head">
          <h2>{device?.name ?? `Screen ${number + 1}`}</h2>
          <Badge variant={playing ? 'default' : 'neutral'}>{playing ? 'Playing now' : 'Free'}</Badge>
        </div>
        {playing ? (
          <>
            <p className="font-semibold">{program ?? playing.channelName}</p>
            <p className="text-sm text-fg-2">
              {program && `${playing.channelName} · `}since{' '}
              <time dateTime={playing.since} suppressHydrationWarning>
                {time.format(new Date(playing.since))}
              </time>
            </p>
            <div className="mt-auto pt-3">
              <Button variant="line" size="sm" pending={stop.isPending} onClick={() => onStop(playing.playId)}>
                Stop
                <span className="sr-only">
                  {' '}
                  {playing.channelName} on {device!.name}
                </span>
              </Button>
            </div>
          </>
        ) : (
          <>
            <p className="font-semibold">Nothing is playing</p>
            <p className="text-sm text-fg-2">Any of your devices can use this screen.</p>
          </>
        )}
      </div>
    </li>
  )
}
