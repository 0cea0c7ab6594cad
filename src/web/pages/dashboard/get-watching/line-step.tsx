import { Link } from '@tanstack/react-router'
import { Bell } from 'lucide-react'
import type { OwnLine } from '#features/provisioning/contract.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Note } from '#web/ui/note.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import { SetupStep } from './setup-step.tsx'
import type { Stage } from './stage.ts'
import type { ReadyNotice } from './use-ready-notice.ts'
import { useSecondsSince } from './use-seconds-since.ts'

interface Props {
  stage: Stage
  line: OwnLine | null
  email: string
  notice: ReadyNotice
}

const minutes = (count: number) =>
  count === 1 ? '1 minute' : count < 120 ? `${count} minutes` : `${Math.round(count / 60)} hours`
const duration = (seconds: number) =>
  seconds === 1 ? '1 second' : seconds < 120 ? `${seconds} seconds` : minutes(Math.round(seconds / 60))
/** After this many seconds, the text no longer promises less than a minute. */
const usualSeconds = 60
const ahead = (count: number) => (count === 1 ? '1 order is ahead of you.' : `${count} orders are ahead of you.`)

/** The second step: the line is created by the panel or by an administrator. */
export function LineStep({ stage, line, email, notice }: Props) {
  const progress = line?.progress
  const seconds = useSecondsSince(stage === 'creating' ? progress?.since : null)
  const since = progress?.since && (
    <>
      Since <DateText value={progress.since} look="minute" />
    </>
  )
  if (stage === 'checking') return <SetupStep number={2} title="Your TV login" state="later" />
  if (stage === 'ready')
    return (
      <SetupStep number={2} title="Your TV login is ready" state="done">
        {line && line.createdInSeconds !== null && <p>Created in {duration(Math.max(1, line.createdInSeconds))}.</p>}
      </SetupStep>
    )
  if (stage === 'creating')
    return (
      <SetupStep
        number={2}
        title="Your TV login is being created"
        state="working"
        aside={seconds === undefined ? since : <span className="num">{duration(seconds)}</span>}
      >
        <p>
          {(seconds ?? 0) > usualSeconds
            ? `This is taking longer than usual. You can leave this page. We will email ${email} when your login is ready.`
            : `Usually under a minute. This page updates automatically. If it takes longer, we will email ${email} when your login is ready.`}
        </p>
      </SetupStep>
    )
  return (
    <SetupStep number={2} title="Our team is creating your TV login" state="working" aside={since}>
      <p>
        We will email <b className="wrap-anywhere">{email}</b> when your login is ready. This page updates
        automatically.
      </p>
      {progress && (progress.ahead !== null || progress.typicalMinutes !== null) && (
        <Note>
          {progress.ahead !== null && progress.ahead > 0 && `${ahead(progress.ahead)} `}
          {progress.ahead === 0 && 'You are next. '}
          {progress.typicalMinutes !== null && (
            <>
              Recent typical wait: <b>{minutes(progress.typicalMinutes)}</b>.
            </>
          )}
        </Note>
      )}
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2.5">
        {notice.state === 'off' && (
          <Button variant="line" onClick={notice.request}>
            <Bell size={18} />
            Notify Me Here
          </Button>
        )}
        <Link to="/contact" className="link">
          Contact Support
        </Link>
      </div>
      <p role="status">
        {notice.state === 'on' && 'This browser will notify you while this page is open.'}
        {notice.state === 'refused' && 'This browser does not allow notifications from this site.'}
      </p>
    </SetupStep>
  )
}
