import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { listPlans } from '#features/catalog/contract.ts'
import { type Device, listDevices } from '#features/devices/contract.ts'
import { largerPlan } from '#features/devices/rules.ts'
import { DeviceRow } from '#features/devices/web/device-row.tsx'
import { MoreScreens } from '#features/devices/web/more-screens.tsx'
import { ScreenCard } from '#features/devices/web/screen-card.tsx'
import screensSheet from '#features/devices/web/screens.css?url'
import { useNowNext } from '#features/guide/web/use-now-next.ts'
import { getOwnSubscription } from '#features/subscriptions/contract.ts'
import { OpenEyes } from '../../brand/open-eyes.tsx'
import { query } from '../../data.ts'
import { Button } from '../../ui/button/button.tsx'
import { ButtonLink } from '../../ui/button/button-link.tsx'
import { Card } from '../../ui/card.tsx'
import { useOpenDialog } from '../../ui/dialog/use-open-dialog.ts'
import { roles } from '../../ui/table/table-roles.ts'
import { AccountFrame } from './account-frame.tsx'

const PairTvDialog = lazy(() =>
  import('#features/devices/web/pair-tv-dialog.tsx').then((module) => ({ default: module.PairTvDialog })),
)
const AddAppDialog = lazy(() =>
  import('#features/devices/web/add-app-dialog.tsx').then((module) => ({ default: module.AddAppDialog })),
)
const RenameDeviceDialog = lazy(() =>
  import('#features/devices/web/rename-device-dialog.tsx').then((module) => ({ default: module.RenameDeviceDialog })),
)
const RemoveDeviceDialog = lazy(() =>
  import('#features/devices/web/remove-device-dialog.tsx').then((module) => ({ default: module.RemoveDeviceDialog })),
)
/** The maximum number of cards, counting free screens. Screens in use always get a card. */
const maxCards = 5
const listId = 'devices-title'

/** /screens: what plays on the screens of the plan, and the devices that may use them. */
export function ScreensPage() {
  const { data } = useSuspenseQuery(query(listDevices))
  const { data: subscription } = useQuery(query(getOwnSubscription))
  const { data: plans = [] } = useQuery(query(listPlans))
  const { pair } = useSearch({ strict: false }) as { pair?: string }
  const navigate = useNavigate()
  const guide = useNowNext()
  const [renamed, rename] = useOpenDialog<Device>(listId)
  const [removed, remove] = useOpenDialog<Device>(listId)
  const [added, addApp] = useOpenDialog<true>(listId)
  const [pairCount, setPairCount] = useState(0)
  // The server renders no dialogs.
  const [isMounted, setMounted] = useState(false)
  useEffect(() => setMounted(true), [])
  const { screens, devices } = data
  const playing = devices.filter((device) => device.playing)
  const free = Math.max(0, Math.min(screens, maxCards) - playing.length)
  // Each free screen is drawn as one of the devices that may use it.
  const idle = devices.filter((device) => !device.playing)
  const setPair = (code?: string) => {
    setPairCount(pairCount + 1)
    void navigate({ to: '/screens', search: code === undefined ? {} : { pair: code }, resetScroll: false } as never)
  }
  const plan = subscription?.plan
  const larger = plan?.connections === screens ? largerPlan(plans, plan) : undefined
  const inUse = `${playing.length} of ${screens} in use.`
  return (
    <AccountFrame
      title="Screens"
      mark={
        screens > 0 && (
          <span className="screens-mark">
            <OpenEyes total={screens} open={playing.length} size={92} />
          </span>
        )
      }
      lead={
        screens === 0 ? (
          'You have no active plan. Your devices can play again once you have one.'
        ) : (
          <>
            <b className="text-fg">{inUse}</b> {subscription?.planName ?? 'Your plan'} plays on{' '}
            {screens === 1 ? 'one screen' : `${screens} screens`} at the same time.
          </>
        )
      }
      actions={
        <>
          <Button size="lg" aria-haspopup="dialog" onClick={() => setPair('')}>
            <Plus size={20} />
            Pair a TV
          </Button>
          <Button
            size="lg"
            variant="line"
            aria-haspopup="dialog"
            onClick={({ currentTarget }) => addApp(true, currentTarget)}
          >
            Add a TV App
          </Button>
        </>
      }
    >
      <link rel="stylesheet" href={screensSheet} precedence="page" />
      <div className="grid gap-5">
        <p className="sr-only" role="status">
          {screens > 0 && inUse}
        </p>
        {devices.length > 0 && playing.length + free > 0 && (
          <ul className="screen-list" aria-label="Screens of your plan">
            {playing.map((device, index) => (
              <ScreenCard
                key={device.id}
                device={device}
                number={index}
                program={guide?.channels.get(device.playing!.channelId)?.now?.title}
              />
            ))}
            {Array.from({ length: free }, (_, index) => playing.length + index).map((number) => (
              <ScreenCard key={number} number={number} kind={idle[number - playing.length]?.kind} />
            ))}
          </ul>
        )}
        {devices.length === 0 ? (
          <section className="card no-screens" aria-labelledby={listId}>
            {free > 0 && (
              <ul aria-hidden="true">
                {Array.from({ length: free }, (_, index) => index).map((number) => (
                  <li key={number}>
                    <Plus size={24} />
                    Free screen
                  </li>
                ))}
              </ul>
            )}
            <h2 id={listId} tabIndex={-1}>
              {screens > 1 ? `None of your ${screens} screens is set up` : 'No screen is set up yet'}
            </h2>
            <p>Pair a TV with a code, or open the player on a phone or computer. The player uses a free screen.</p>
            <div className="flex flex-wrap justify-center gap-2.5">
              <Button aria-haspopup="dialog" onClick={() => setPair('')}>
                Pair a TV
              </Button>
              <ButtonLink to="/setup" variant="line">
                Setup Guide
              </ButtonLink>
            </div>
          </section>
        ) : (
          <Card title="Devices" titleId={listId} flush>
            <table {...roles.table} className="device-table" aria-labelledby={listId}>
              <thead {...roles.rows}>
                <tr {...roles.row}>
                  {['Device', 'App', 'Place', 'Last seen'].map((name) => (
                    <th key={name} scope="col" {...roles.head}>
                      {name}
                    </th>
                  ))}
                  <th scope="col" {...roles.head}>
                    <span className="sr-only">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody {...roles.rows}>
                {devices.map((device) => (
                  <DeviceRow key={device.id} device={device} onRename={rename} onRemove={remove} />
                ))}
              </tbody>
            </table>
          </Card>
        )}
        <MoreScreens screens={screens} larger={larger} />
      </div>
      {/* Each dialog has its own boundary. In a shared boundary, a loading dialog would hide the others and remount their portals. */}
      <Suspense>
        {isMounted && pair !== undefined && (
          <PairTvDialog
            key={`${pairCount} ${pair}`}
            code={pair}
            onClose={() => setPair()}
            onPairAnother={() => setPair('')}
          />
        )}
      </Suspense>
      <Suspense>{added && <AddAppDialog key={added.openCount} returnTo={added.returnTo} />}</Suspense>
      <Suspense>
        {renamed && <RenameDeviceDialog key={renamed.openCount} device={renamed.subject} returnTo={renamed.returnTo} />}
      </Suspense>
      <Suspense>
        {removed && <RemoveDeviceDialog key={removed.openCount} device={removed.subject} returnTo={removed.returnTo} />}
      </Suspense>
    </AccountFrame>
  )
}
