import { Link } from '@tanstack/react-router'
import type { OwnLine } from '#features/provisioning/contract.ts'
import { LineCode } from '#features/provisioning/web/line-code.tsx'
import { OwnLogin } from '#features/provisioning/web/own-login.tsx'
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
      <div className="login-step">
        <OwnLogin line={{ ...line, username: line.username }} />
        <LineCode line={line} />
      </div>
      <p className="text-sm">
        This is your TV login. It is not the one you use for this site. You can find it later under IPTV Account.
      </p>
    </SetupStep>
  )
}
