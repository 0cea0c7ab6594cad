import { Link } from '@tanstack/react-router'
import type { TrialRequest } from '../contract.ts'
import { CredentialField } from './credential-field.tsx'

/** The trial credentials for the player. The server address is shown as text, not as a link, because it is free text. */
export function TrialCredentials({ request }: { request: TrialRequest }) {
  const lines = [
    { name: 'Server', text: request.trialServer },
    { name: 'Username', text: request.trialUsername, isSecret: true },
    { name: 'Password', text: request.trialPassword, isSecret: true },
  ]
  return (
    <section aria-labelledby="credentials-title">
      <h3 id="credentials-title" className="text-lg">
        Your trial credentials
      </h3>
      <dl className="mt-3 overflow-hidden rounded-md border">
        {lines.map(
          ({ name, text, isSecret }) =>
            text !== null && <CredentialField key={name} name={name} text={text} isSecret={isSecret} />,
        )}
      </dl>
      <p className="mt-3 text-fg-2">
        Enter them in your player.{' '}
        <Link to="/setup" className="link">
          The setup guide
        </Link>{' '}
        shows where.
      </p>
    </section>
  )
}
