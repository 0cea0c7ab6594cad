import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import type { ApiKey } from '../admin-contract.ts'
import { stateNames } from '../rules.ts'

interface Props {
  apiKey: ApiKey
  onRevoke: (button: HTMLElement) => void
}

/** An API key in the list: its state, scopes and last use. */
export function ApiKeyItem({ apiKey, onRevoke }: Props) {
  const { name, prefix, state, scopes, createdBy, createdAt, endsAt, lastUsed, revoked } = apiKey
  return (
    <li className="flex flex-wrap items-start justify-between gap-3">
      <div className="grid min-w-0 gap-1">
        <p className="flex flex-wrap items-center gap-2">
          <b className="wrap-anywhere">{name}</b>
          <Badge variant={state === 'active' ? 'default' : 'outline'}>{stateNames[state]}</Badge>
        </p>
        <p className="text-fg-2 text-sm">
          <code className="num">{prefix}…</code>, created by {createdBy.username}, <DateText value={createdAt} />
          {endsAt && !revoked && (
            <>
              , {state === 'ended' ? 'expired' : 'expires'} <DateText value={endsAt} look="minute" />
            </>
          )}
          {revoked && (
            <>
              , revoked{revoked.by && ` by ${revoked.by}`}, <DateText value={revoked.at} look="minute" />
            </>
          )}
        </p>
        <p className="text-fg-2 text-sm">
          {lastUsed ? (
            <>
              Last used from <span className="num wrap-anywhere">{lastUsed.ip}</span>,{' '}
              <DateText value={lastUsed.at} look="minute" />
            </>
          ) : (
            'Never used'
          )}
        </p>
        <ul className="flex flex-wrap gap-1.5" aria-label={`Scopes of ${name}`}>
          {scopes.map((scope) => (
            <li key={scope}>
              <Badge>{scope}</Badge>
            </li>
          ))}
        </ul>
      </div>
      {state !== 'revoked' && state !== 'ended' && (
        <Button variant="soft" size="sm" onClick={({ currentTarget }) => onRevoke(currentTarget)}>
          Revoke<span className="sr-only"> {name}</span>
        </Button>
      )}
    </li>
  )
}
