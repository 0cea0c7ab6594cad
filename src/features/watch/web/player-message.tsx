import { useQuery } from '@tanstack/react-query'
import { Clock, Flag, KeyRound, type LucideIcon, MonitorSmartphone, RadioTower, SkipForward, Tv } from 'lucide-react'
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
import { getReporterCount, type Watch } from '../contract.ts'
import { PlayerRetry } from './player-retry.tsx'
import { PlayerScreens } from './player-screens.tsx'
import { addScreenText, reportersText, type StopAction, stopText } from './stop-texts.ts'
import type { StopReason } from './use-play.ts'

interface Props {
  reason: StopReason
  /** The name of the device that took over the screen. */
  takenBy: string | null
  /** When playback stopped, in milliseconds; undefined if nothing had played. */
  at: number | undefined
  channelId: number
  channelName: string
  missingCodec: string | undefined
  onLive: () => void
  watch: Watch
  /** What is on now and next, by channel id. */
  programs: ReadonlyMap<number, NowNext> | undefined
  /** Whether automatic retries are left. */
  mayRetry: boolean
  /** Whether an automatic retry is in progress. The message stays during the retry. */
  isTrying: boolean
  /** Whether to focus the first button, because the focus was in the player. */
  takesFocus: boolean
  onRetry: () => void
  onAutomaticRetry: () => void
  onTake: (playId: string) => void
  onReport: () => void
  /** Plays the next favorite; undefined if there is no other favorite. */
  onNextFavorite: (() => void) | undefined
}

/** The reasons for which no link to the self-check is shown, because a check of the channel cannot explain them further. */
const needsNoCheck: ReadonlySet<StopReason> = new Set([
  'session_over',
  'slots_full',
  'taken',
  'other_tab',
  'idle',
  'unattended',
  'sleep',
])

/** Shows why nothing plays, and what the viewer can do about it. */
export function PlayerMessage({
  reason,
  takenBy,
  at,
  channelId,
  channelName,
  missingCodec,
  onLive,
  watch,
  programs,
  mayRetry,
  isTrying,
  takesFocus,
  onRetry,
  onAutomaticRetry,
  onTake,
  onReport,
  onNextFavorite,
}: Props) {
  const { title, text, retries, actions } = stopText(reason, {
    channel: channelName,
    takenBy,
    missingCodec,
    at,
    ...watch,
  })
  const box = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the message appears
  useEffect(() => {
    if (takesFocus) box.current?.querySelector<HTMLElement>('button, a')?.focus()
  }, [])
  const variantOf = (index: number): { variant?: 'line' } => (index === 0 && !retries ? {} : { variant: 'line' })
  const buttons: Record<StopAction, (index: number) => ReactNode> = {
    retry: (index) => (
      <Button key="retry" {...variantOf(index)} onClick={onRetry}>
        {reason === 'taken' || takenBy !== null ? 'Take It Back' : 'Try Again'}
      </Button>
    ),
    continue: () => (
      <Button key="continue" onClick={onRetry}>
        Continue
      </Button>
    ),
    here: () => (
      <Button key="here" onClick={onRetry}>
        Play Here
      </Button>
    ),
    renew: () => <RenewLinks key="renew" hadPlan={watch.endedAt !== null} />,
    setup: (index) => (
      <ButtonLink key="setup" to="/setup" {...variantOf(index)}>
        Set Up an App
      </ButtonLink>
    ),
    account: (index) => (
      <ButtonLink key="account" to="/dashboard" {...variantOf(index)}>
        {reason === 'preparing' ? 'See the Progress' : 'See My Account'}
      </ButtonLink>
    ),
    'own-login': (index) => (
      <ButtonLink key="own-login" to="/dashboard" search={{ tab: 'iptv' }} {...variantOf(index)}>
        I Already Have a Login
      </ButtonLink>
    ),
    'log-in': (index) => (
      <ButtonLink key="log-in" to="/auth" {...variantOf(index)}>
        Log In
      </ButtonLink>
    ),
    favorite: (index) =>
      onNextFavorite && (
        <Button key="favorite" {...variantOf(index)} onClick={onNextFavorite}>
          <SkipForward size={18} />
          Next Favorite
        </Button>
      ),
    live: (index) => (
      <Button key="live" {...variantOf(index)} onClick={onLive}>
        Go Live
      </Button>
    ),
    report: (index) => (
      <Button key="report" {...variantOf(index)} onClick={onReport}>
        <Flag size={18} />
        Report It
      </Button>
    ),
    screens: (index) => (
      <ButtonLink key="screens" to="/screens" {...variantOf(index)}>
        See Screens
      </ButtonLink>
    ),
  }
  return (
    <div ref={box} className="player-message" role={reason === 'preparing' ? 'status' : undefined}>
      <MessageImage reason={reason} isMoved={takenBy !== null} />
      <h2>{reason === 'preparing' ? title : <span role="alert">{title}</span>}</h2>
      <p>{text}</p>
      {reason === 'slots_full' && (
        <>
          <PlayerScreens programs={programs} onTake={onTake} />
          <p className="player-small">
            <ButtonLink to="/screens" variant="ghost" size="sm">
              Manage Screens
            </ButtonLink>
            <ButtonLink to="/pricing" variant="ghost" size="sm">
              {addScreenText(watch.screens)}
            </ButtonLink>
          </p>
        </>
      )}
      <div className="player-actions">
        {retries && <PlayerRetry automatic={mayRetry} {...{ isTrying, onRetry, onAutomaticRetry }} />}
        {actions.map((action, index) => buttons[action](index))}
        {takenBy === null && !needsNoCheck.has(reason) && (
          <ButtonLink to={'/check' as never} search={{ channel: channelId } as never} variant="ghost">
            Is it me or you?
          </ButtonLink>
        )}
      </div>
      {reason === 'channel_down' && <Reporters channelId={channelId} />}
    </div>
  )
}

/** Shows how many other customers reported the channel, and since when an administrator has been working on it. */
function Reporters({ channelId }: { channelId: number }) {
  const { data } = useQuery(query(getReporterCount, { params: { channelId } }))
  const text = data && reportersText(data)
  return text ? <p className="player-small num">{text}</p> : null
}

/** Links to the plan that the customer had, and to all plans. */
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

type Icons = Partial<Record<StopReason, LucideIcon>>
const icons: Icons = {
  taken: MonitorSmartphone,
  other_tab: MonitorSmartphone,
  codec: Tv,
  bad_stream: Tv,
  protected: Tv,
}
const iconsWithoutMascot: Icons = {
  expired: Clock,
  preparing: KeyRound,
  slots_full: MonitorSmartphone,
  channel_down: RadioTower,
}
const size = 76
/** The mascot or an icon that fits the reason. */
function MessageImage({ reason, isMoved }: { reason: StopReason; isMoved: boolean }) {
  const isShown = use(MascotShown)
  const Icon = isMoved ? MonitorSmartphone : (icons[reason] ?? (isShown ? undefined : iconsWithoutMascot[reason]))
  if (Icon) return <Icon size={48} aria-hidden="true" />
  if (reason === 'channel_down' || reason === 'sleep') return isShown ? <SleepingMascot size={size} /> : null
  if (reason === 'preparing') return <Mascot tier={1} eyes={3} size={size} look={[0.1, -0.35]} />
  if (reason === 'expired') return <Mascot tier={3} eyes={3} size={size} look={[0, 0.35]} lid={0.45} mouth={false} />
  return <Mascot tier={3} eyes={3} size={size} look={[0, 0.1]} lid={0.4} mouth={false} />
}
