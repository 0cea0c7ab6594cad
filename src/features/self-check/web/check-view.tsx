import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { RotateCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { getSite } from '#features/settings/contract.ts'
import { getWatch } from '#features/watch/contract.ts'
import { query } from '#web/data.ts'
import { announce } from '#web/ui/announce.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { CheckAdvice } from './check-advice.tsx'
import { CheckReport } from './check-report.tsx'
import { CheckResults } from './check-results.tsx'
import { checkRows, rowsInOrder } from './check-rows.ts'
import { announcedVerdict, type VerdictText, verdictText } from './check-texts.ts'
import { CheckVerdict } from './check-verdict.tsx'
import { type CheckState, useCheck } from './use-check.ts'

const time = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })

interface Props {
  /** Whether this page avoids a host: streams from it are loaded through this site. */
  isAvoided: (host: string) => boolean
  /** Makes this page avoid a host for a while. */
  onAvoid: (host: string) => void
}

/** The self-check of a channel. It runs when the page opens. */
export function CheckView({ isAvoided, onAvoid }: Props) {
  const { data: watch } = useSuspenseQuery(query(getWatch))
  const { data: site } = useSuspenseQuery(query(getSite))
  const { channel: requestedId } = useSearch({ strict: false }) as { channel?: unknown }
  const navigate = useNavigate()
  const channel = watch.channels.find(({ id }) => id === Number(requestedId)) ?? watch.channels[0]
  const { state, start, stop } = useCheck(channel?.id, isAvoided)
  const text = textOf(state, channel?.name ?? site.brand.name)
  const announced = announcedVerdict(text)
  useEffect(() => {
    if (state.phase === 'done') announce(announced)
  }, [state.phase, announced])
  const facts = { ...state, brand: site.brand.name, channel: channel?.name ?? null }
  return (
    <>
      <PageHeader
        title="Is it me or you?"
        lead="Five checks from your screen to the channel, about 10 seconds."
        actions={
          channel && (
            <Field label="Channel">
              <NativeSelect
                value={channel.id}
                onChange={({ target }) =>
                  void navigate({ to: '.', search: { channel: Number(target.value) }, replace: true } as never)
                }
              >
                {watch.channels.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </NativeSelect>
            </Field>
          )
        }
      />
      <CheckVerdict text={text} path={rowsInOrder(facts)} isFine={state.verdict?.side === 'fine'} />
      <div className="check-grid">
        <CheckResults key={state.at} rows={checkRows(facts)} isDone={state.phase === 'done'} />
        <NextStep
          key={`${state.id}${state.phase}`}
          state={state}
          channelId={channel?.id}
          channel={channel?.name}
          onStop={stop}
          onAvoid={onAvoid}
        />
      </div>
      {state.phase !== 'running' && (
        <p className="check-again">
          {state.at > 0 && <span>Checked at {time.format(new Date(state.at))}.</span>}
          <Button variant="ghost" size="sm" onClick={start}>
            <RotateCw size={16} />
            Check Again
          </Button>
        </p>
      )}
    </>
  )
}

function textOf({ phase, verdict, refusal, server, browser }: CheckState, channel: string): VerdictText {
  if (verdict) return verdictText(verdict.cause, verdict.side, { channel, server, browser })
  if (phase === 'refused')
    return { before: 'Not ', strong: 'now.', lead: refusal ?? 'Please try again in a few minutes.' }
  if (phase === 'stopped') return { before: 'Check ', strong: 'stopped.', lead: 'Nothing was sent to our team.' }
  return { before: 'Checking…', strong: '', lead: 'You can keep watching something else.' }
}

interface NextProps {
  state: CheckState
  channelId: number | undefined
  channel: string | undefined
  onStop: () => void
  onAvoid: (host: string) => void
}
/** The card beside the results: what is being checked, what the customer can do, or the report. */
function NextStep({ state, channelId, channel, onStop, onAvoid }: NextProps) {
  const { phase, id, device, host, verdict, server, browser } = state
  const [wantsReport, setWantsReport] = useState(false)
  if (phase === 'running')
    return (
      <section className="card" aria-labelledby="check-about">
        <div className="card-body">
          <h2 id="check-about" className="text-xl">
            What we check
          </h2>
          <p className="mt-1.5 mb-4.5 text-fg-2">
            Speed and delay of your connection, your account, your screens, our servers, and whether the channel sends a
            picture. Nothing is sent to our team until you say so.
          </p>
          <Button variant="line" onClick={onStop}>
            Stop
          </Button>
        </div>
      </section>
    )
  if (phase !== 'done' || !verdict) return null
  const canReport = id !== null && server !== null && channel !== undefined
  const onWatch = () => {
    if (verdict.cause === 'slow_host' && host !== null) onAvoid(host)
  }
  if ((verdict.side === 'you' || verdict.side === 'between') && !wantsReport)
    return (
      <CheckAdvice verdict={verdict} channelId={channelId} onWatch={onWatch}>
        {canReport && (
          <Button variant="line" onClick={() => setWantsReport(true)}>
            {verdict.side === 'you' ? 'Report It Anyway' : 'Report It'}
          </Button>
        )}
      </CheckAdvice>
    )
  if (!canReport)
    return (
      <CheckAdvice verdict={verdict} channelId={channelId} onWatch={onWatch}>
        {null}
      </CheckAdvice>
    )
  return (
    <CheckReport checkId={id} channel={channel} device={device} server={server} browser={browser} verdict={verdict} />
  )
}
