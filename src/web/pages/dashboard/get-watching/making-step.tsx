import { Link } from '@tanstack/react-router'
import type { OwnLine } from '#features/provisioning/contract.ts'
import { Note } from '#web/ui/note.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import { SetupStep } from './setup-step.tsx'
import type { Stage } from './stage.ts'

interface Props {
  stage: Stage
  line: OwnLine | null
  email: string
}

const minutes = (count: number) =>
  count === 1 ? '1 minute' : count < 120 ? `${count} minutes` : `${Math.round(count / 60)} hours`
const ahead = (count: number) => (count === 1 ? '1 order is ahead of you.' : `${count} orders are ahead of you.`)

/** The second step: the line is created by the panel or by an administrator. */
export function MakingStep({ stage, line, email }: Props) {
  const progress = line?.progress
  const since = progress?.since && (
    <>
      Since <DateText value={progress.since} look="minute" />
    </>
  )
  if (stage === 'checking') return <SetupStep number={2} title="Your TV login" state="later" />
  if (stage === 'ready') return <SetupStep number={2} title="Your TV login is ready" state="done" />
  if (stage === 'making')
    return (
      <SetupStep number={2} title="Your TV login is being created" state="working" aside={since}>
        <p>
          Usually under a minute. This page moves on automatically. If it takes longer, we email {email} when it is
          ready.
        </p>
      </SetupStep>
    )
  return (
    <SetupStep number={2} title="Our team is creating your TV login" state="working" aside={since}>
      <p>
        We email <b className="wrap-anywhere">{email}</b> when it is ready, and this page moves on automatically.
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
      <p>
        <Link to="/contact" className="link">
          Contact Support
        </Link>
      </p>
    </SetupStep>
  )
}
