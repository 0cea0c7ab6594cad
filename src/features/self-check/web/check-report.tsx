import { Send } from 'lucide-react'
import { useState } from 'react'
import { listReports } from '#features/reports/contract.ts'
import { messageOf } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { announce } from '#web/ui/announce.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { Note } from '#web/ui/note.tsx'
import { type BrowserFacts, reportCheck, type ServerFacts, type Verdict } from '../contract.ts'
import { causeTexts, percentText, spanText } from '../evidence-rules.ts'
import { delayOf, droppedOf, hostSpeedOf, isClockWrong, speedOf, speedText } from '../rules.ts'
import { reportTexts } from './check-texts.ts'

interface Props {
  checkId: string
  channel: string
  device: string
  server: ServerFacts
  browser: BrowserFacts
  verdict: Verdict
}

const time = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })

/** Shows the report with the results of the check, and a button that sends it. */
export function CheckReport({ checkId, channel, device, server, browser, verdict }: Props) {
  const send = useSend(reportCheck, [listReports])
  const [sent, setSent] = useState<{ id: number; joined: boolean; at: number }>()
  const sendReport = async () => {
    const { report, joined } = await send.mutateAsync({ params: { checkId }, body: { browser } })
    setSent({ id: report.id, joined, at: Date.now() })
    announce(`Report ${report.id} sent`)
  }
  const texts = reportTexts(verdict, sent !== undefined)
  const speed = speedOf(browser)
  const rows: [string, string][] = [
    ['Channel', channel],
    ['What happened', causeTexts[verdict.cause]],
    [
      'Your side',
      [
        speed === null ? 'speed not measured' : speedText(speed),
        `${delayOf(browser) ?? '–'} ms`,
        `account ${server.account === 'ok' ? 'active' : server.account}`,
      ].join(', '),
    ],
    [
      'Measured',
      `login ${server.line.login.replaceAll('_', ' ')}, channel ${server.probe.result.replaceAll('_', ' ')}`,
    ],
    ['Device', device],
    ...browserRows(browser),
    [
      'Player',
      browser.events.length === 0
        ? 'Nothing in the last minute'
        : browser.events.map(({ what, why }) => (why ? `${what} (${why})` : what)).join(', '),
    ],
    [
      'Also reported',
      server.others.reports === 0
        ? 'By no other viewer'
        : `By ${server.others.reports} other ${server.others.reports === 1 ? 'viewer' : 'viewers'}`,
    ],
  ]
  return (
    <section className="card" aria-labelledby="check-report">
      <div className="card-body">
        <h2 id="check-report" className="text-xl">
          {texts.title}
        </h2>
        <p className="mt-1.5 text-fg-2">{texts.lead}</p>
        <dl className="check-evidence">
          {rows.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd className="num">{value}</dd>
            </div>
          ))}
        </dl>
        {sent ? (
          <>
            <Note tone="ok">
              <b>
                Report {sent.id} sent at {time.format(sent.at)}.
              </b>{' '}
              {sent.joined
                ? 'Added to the report that you sent within the last hour.'
                : 'We will email you when it is solved.'}
            </Note>
            <p className="mt-4">
              <ButtonLink to="/dashboard" search={{ tab: 'reports' }} variant="line">
                See Your Reports
              </ButtonLink>
            </p>
          </>
        ) : (
          <>
            {send.error && (
              <p role="alert" className="mb-3 text-bad">
                {messageOf(send.error)}
              </p>
            )}
            <Button size="lg" wide pending={send.isPending} onClick={() => void sendReport().catch(() => undefined)}>
              {!send.isPending && <Send size={18} aria-hidden="true" />}
              Send Report
            </Button>
            <p className="mt-3 text-sm text-fg-2">
              One press, nothing to fill in. All measurements above and the numbers of each check are sent, never a
              password or an address.
            </p>
          </>
        )}
      </div>
    </section>
  )
}

/** What the browser measured about itself. */
function browserRows(browser: BrowserFacts): [string, string][] {
  const dropped = droppedOf(browser)
  const hostSpeed = hostSpeedOf(browser)
  return [
    ...(hostSpeed === null ? [] : [['Streaming server', `${speedText(hostSpeed)} to this device`] as [string, string]]),
    ...(dropped === null ? [] : [['Dropped frames', percentText(dropped)] as [string, string]]),
    ...(isClockWrong(browser)
      ? [['Clock', `off by ${spanText(Math.abs(browser.clockOffMs))}`] as [string, string]]
      : []),
    ...(browser.blocked ? [['Streams', 'blocked in this browser'] as [string, string]] : []),
    ...(browser.hidden ? [['Page', 'hidden during the check'] as [string, string]] : []),
  ]
}
