import { useQuery } from '@tanstack/react-query'
import { Flag, MonitorSmartphone, Tv } from 'lucide-react'
import { type ReactNode, use, useEffect, useRef } from 'react'
import { listPlans } from '#features/catalog/contract.ts'
import type { NowNext } from '#features/guide/rules.ts'
import { getOwnSubscription } from '#features/subscriptions/contract.ts'
import { formatCents } from '#kit/money.ts'
import { Mascot } from '#web/brand/mascot.tsx'
import { MascotShown } from '#web/brand/mascot-shown.ts'
import { SleepingMascot } from '#web/brand/sleeping-mascot.tsx'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import type { Watch } from '../contract.ts'
import { PlayerRetry } from './player-retry.tsx'
import { PlayerScreens } from './player-screens.tsx'
import { type StopAction, stopText } from './stop-texts.ts'
import type { Stop } from './use-play.ts'

interface Props {
  stop: Stop
  by: string | null
  /** When it stopped, in milliseconds; undefined if nothing had played. */
  at: number | undefined
  channelId: number
  channelName: string
  missing: string | undefined
  onLive: () => void
  watch: Watch
  /** What is on, by channel id. */
  programs: ReadonlyMap<number, NowNext> | undefined
  /** Whether automatic retries are left. */
  mayRetry: boolean
  /** Whether the focus was in the player: then the first button gets it. */
  takesFocus: boolean
  onRetry: () => void
  onTake: (playId: string) => void
  onReport: () => void
}

/** Why nothing plays, with what the viewer can do about it. */
export function PlayerMessage({
  stop,
  by,
  at,
  channelId,
  channelName,
  missing,
  onLive,
  watch,
  programs,
  mayRetry,
  takesFocus,
  onRetry,
  onTake,
  onReport,
}: Props) {
  const { title, text, retries, actions } = stopText(stop, { channel: channelName, by, missing, at, ...watch })
  const box = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the message appears
  useEffect(() => {
    if (takesFocus) box.current?.querySelector<HTMLElement>('button, a')?.focus()
  }, [])
  const look = (index: number): { variant?: 'line' } => (index === 0 && !retries ? {} : { variant: 'line' })
  const buttons: Record<StopAction, (index: number) => ReactNode> = {
    retry: (index) => (
      <Button key="retry" {...look(index)} onClick={onRetry}>
        {stop === 'taken' ? 'Take It Back' : 'Try Again'}
      </Button>
    ),
    renew: () => <RenewLinks key="renew" hadPlan={watch.endedAt !== null} />,
    setup: (index) => (
      <ButtonLink key="setup" to="/setup" {...look(index)}>
        Set Up an App
      </ButtonLink>
    ),
    account: (index) => (
      <ButtonLink key="account" to="/dashboard" {...look(index)}>
        {stop === 'preparing' ? 'See the Progress' : 'See My Account'}
      </ButtonLink>
    ),
    'own-login': (index) => (
      <ButtonLink key="own-login" to="/dashboard" search={{ tab: 'iptv' }} {...look(index)}>
        I Already Have a Login
      </ButtonLink>
    ),
    'log-in': (index) => (
      <ButtonLink key="log-in" to="/auth" {...look(index)}>
        Log In
      </ButtonLink>
    ),
    live: (index) => (
      <Button key="live" {...look(index)} onClick={onLive}>
        Go Live
      </Button>
    ),
    report: (index) => (
      <Button key="report" {...look(index)} onClick={onReport}>
        <Flag size={18} />
        Report It
      </Button>
    ),
    screens: (index) => (
      <ButtonLink key="screens" to="/screens" {...look(index)}>
        See Screens
      </ButtonLink>
    ),
  }
  return (
    <div ref={box} className="player-message" role={stop === 'preparing' ? 'status' : undefined}>
      <Face stop={stop} />
      <h2>{stop === 'preparing' ? title : <span role="alert">{title}</span>}</h2>
      <p>{text}</p>
      {stop === 'slots_full' && (
        <>
          <PlayerScreens programs={programs} onTake={onTake} />
          <p className="player-small">
            <ButtonLink to="/screens" variant="ghost" size="sm">
              Manage Screens
            </ButtonLink>
            <ButtonLink to="/pricing" variant="ghost" size="sm">
              Add a Screen
            </ButtonLink>
          </p>
        </>
      )}
      <div className="player-actions">
        {retries && <PlayerRetry automatic={mayRetry} onRetry={onRetry} />}
        {actions.map((action, index) => buttons[action](index))}
        {stop !== 'session_over' && stop !== 'slots_full' && stop !== 'taken' && (
          <ButtonLink to={'/check' as never} search={{ channel: channelId } as never} variant="ghost">
            Is it me or you?
          </ButtonLink>
        )}
      </div>
    </div>
  )
}

/** The plan that the customer had, and all plans. */
function RenewLinks({ hadPlan }: { hadPlan: boolean }) {
  const { data } = useQuery({ ...query(getOwnSubscription), enabled: hadPlan })
  const { data: plans } = useQuery({ ...query(listPlans), enabled: hadPlan })
  const { renewablePlanId = null, renewal = null } = data ?? {}
  const plan = plans?.find(({ id }) => id === renewablePlanId)
  return (
    <>
      {renewablePlanId !== null && (
        <ButtonLink
          to="/checkout"
          search={{
            planId: renewablePlanId,
            invoiceNumber: renewal?.planId === renewablePlanId ? renewal.invoiceNumber : undefined,
          }}
        >
          {plan
            ? `Renew Now: ${formatCents(plan.price)} for ${plan.months === 1 ? '1 month' : `${plan.months} months`}`
            : 'Renew Now'}
        </ButtonLink>
      )}
      <ButtonLink to="/pricing" variant={renewablePlanId === null ? undefined : 'line'}>
        See All Plans
      </ButtonLink>
    </>
  )
}

const size = 76
function Face({ stop }: { stop: Stop }) {
  const isShown = use(MascotShown)
  if (stop === 'taken') return <MonitorSmartphone size={48} aria-hidden="true" />
  if (stop === 'codec' || stop === 'bad_stream' || stop === 'protected') return <Tv size={48} aria-hidden="true" />
  if (stop === 'channel_down') return isShown ? <SleepingMascot size={size} /> : null
  if (stop === 'preparing') return <Mascot tier={1} eyes={3} size={size} look={[0.1, -0.35]} />
  if (stop === 'expired') return <Mascot tier={3} eyes={3} size={size} look={[0, 0.35]} lid={0.45} mouth={false} />
  return <Mascot tier={3} eyes={3} size={size} look={[0, 0.1]} lid={0.4} mouth={false} />
}
