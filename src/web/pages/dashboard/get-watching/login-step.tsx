import { Link } from '@tanstack/react-router'
import type { OwnLine } from '#features/provisioning/contract.ts'
import { OwnLineFact } from '#features/provisioning/web/own-line-fact.tsx'
import { OwnLinePassword } from '#features/provisioning/web/own-line-password.tsx'
import { SetupStep } from './setup-step.tsx'

/** The third step: what to enter on a device. */
export function LoginStep({ line }: { line: OwnLine | null }) {
  if (!line || line.username === null)
    return (
      <SetupStep number={3} title="Your login" state="later">
        <p>
          Already have a login from us?{' '}
          <Link to="/dashboard" search={{ tab: 'iptv' }} className="link">
            Enter it under IPTV Account
          </Link>
        </p>
      </SetupStep>
    )
  return (
    <SetupStep number={3} title="Your login" state="current">
      <dl className="overflow-hidden rounded-md border text-fg *:last:border-b-0">
        {line.server !== null && <OwnLineFact name="Server" text={line.server} />}
        <OwnLineFact name="Username" text={line.username} />
        <OwnLinePassword />
      </dl>
      <p className="text-sm">
        This is your TV login. It is not the one you use for this site. You can find it later under IPTV Account.
      </p>
    </SetupStep>
  )
}
