import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useRef } from 'react'
import { messageOf } from '#kit/caller.ts'
import { query } from '#web/data.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { useOpenDialog } from '#web/ui/dialog/use-open-dialog.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Note } from '#web/ui/note.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import { getTwoFactor } from '../contract.ts'

const dialogs = {
  setUp: lazy(() => import('./set-up-dialog.tsx').then((module) => ({ default: module.SetUpDialog }))),
  off: lazy(() => import('./turn-off-dialog.tsx').then((module) => ({ default: module.TurnOffDialog }))),
  codes: lazy(() => import('./recovery-codes-dialog.tsx').then((module) => ({ default: module.RecoveryCodesDialog }))),
}

/** Sets up, turns off and shows the state of two-step verification. */
export function TwoFactorCard() {
  const { data: state, error, isFetching, refetch } = useQuery(query(getTwoFactor))
  const [opened, open] = useOpenDialog<keyof typeof dialogs>()
  const box = useRef<HTMLDivElement>(null)
  const Dialog = opened && dialogs[opened.subject]

  return (
    <Card
      title="Two-Step Verification"
      titleId="two-factor-title"
      aside={state && <Badge variant={state.enabled ? 'default' : 'outline'}>{state.enabled ? 'On' : 'Off'}</Badge>}
    >
      {error && (
        <ErrorState
          title="Error loading two-step verification"
          message={messageOf(error)}
          pending={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {!state && !error && <Skeleton className="h-24" />}
      <div ref={box} tabIndex={-1} className="grid gap-4 outline-none">
        {state?.required && !state.enabled && (
          <Note tone="warn">
            Administrators must use two-step verification. Set it up to get access to the Admin Panel.
          </Note>
        )}
        {state?.enabled && (
          <>
            <p className="text-fg-2">
              On since <DateText value={state.since} look="long" />. Logging in with your password also requires a code
              from your authenticator app. Recovery codes left: {state.recoveryCodesLeft}.
            </p>
            <div className="flex flex-wrap gap-2.5">
              <Button
                variant="line"
                aria-haspopup="dialog"
                onClick={({ currentTarget }) => open('codes', currentTarget)}
              >
                New Recovery Codes
              </Button>
              {!state.required && (
                <Button
                  variant="line"
                  aria-haspopup="dialog"
                  onClick={({ currentTarget }) => open('off', currentTarget)}
                >
                  Turn Off
                </Button>
              )}
            </div>
          </>
        )}
        {state && !state.enabled && (
          <>
            <p className="text-fg-2">
              With a code from an authenticator app on your phone, a password alone won’t open your account.
            </p>
            <div>
              <Button
                variant="ink"
                aria-haspopup="dialog"
                onClick={({ currentTarget }) => open('setUp', currentTarget)}
              >
                Set Up
              </Button>
            </div>
          </>
        )}
      </div>
      <Suspense>{Dialog && <Dialog key={opened.openCount} returnTo={box} />}</Suspense>
    </Card>
  )
}
