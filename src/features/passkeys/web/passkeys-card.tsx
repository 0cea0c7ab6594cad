import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useSyncExternalStore } from 'react'
import { messageOf } from '#kit/caller.ts'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { useOpenDialog } from '#web/ui/dialog/use-open-dialog.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { listPasskeys, type Passkey } from '../contract.ts'
import { maxPasskeys } from '../rules.ts'
import { PasskeyItem } from './passkey-item.tsx'

const AddDialog = lazy(() =>
  import('./add-passkey-dialog.tsx').then((module) => ({ default: module.AddPasskeyDialog })),
)
const RenameDialog = lazy(() =>
  import('./rename-passkey-dialog.tsx').then((module) => ({ default: module.RenamePasskeyDialog })),
)
const RemoveDialog = lazy(() =>
  import('./remove-passkey-dialog.tsx').then((module) => ({ default: module.RemovePasskeyDialog })),
)

const subscribeToNothing = () => () => undefined
const canUsePasskeys = () => 'PublicKeyCredential' in window
const notOnServer = () => false

type OpenDialog = { dialog: 'add' } | { dialog: 'rename' | 'remove'; passkey: Passkey }

/** Lists, adds, renames and removes passkeys. */
export function PasskeysCard() {
  const { data: passkeys, error, isFetching, refetch } = useQuery(query(listPasskeys))
  const [opened, open] = useOpenDialog<OpenDialog>()
  const about = opened?.subject
  const canAdd = useSyncExternalStore(subscribeToNothing, canUsePasskeys, notOnServer)
  const box = useRef<HTMLDivElement>(null)
  return (
    <Card
      title="Passkeys"
      titleId="passkeys-title"
      flush
      aside={
        canAdd &&
        passkeys &&
        passkeys.length < maxPasskeys && (
          <Button
            variant="line"
            size="sm"
            aria-haspopup="dialog"
            onClick={({ currentTarget }) => open({ dialog: 'add' }, currentTarget)}
          >
            Add a Passkey
          </Button>
        )
      }
    >
      {error && (
        <ErrorState
          title="Error loading your passkeys"
          message={messageOf(error)}
          pending={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {!passkeys && !error && <Skeleton className="m-6 h-24" />}
      <div ref={box} tabIndex={-1} className="outline-none">
        {passkeys?.length === 0 && (
          <p className="px-4.5 py-4.5 text-fg-2 sm:px-6">
            A passkey logs you in with your fingerprint, face or device PIN. No password to type, and nothing a phishing
            site can steal.
          </p>
        )}
        {passkeys && passkeys.length > 0 && (
          <ul className="divide-y divide-line">
            {passkeys.map((passkey) => (
              <PasskeyItem
                key={passkey.id}
                passkey={passkey}
                onOpen={(dialog, button) => open({ dialog, passkey }, button)}
              />
            ))}
          </ul>
        )}
      </div>
      <Suspense>
        {about?.dialog === 'add' && <AddDialog key={opened?.openCount} returnTo={box} />}
        {about?.dialog === 'rename' && <RenameDialog key={opened?.openCount} passkey={about.passkey} returnTo={box} />}
        {about?.dialog === 'remove' && <RemoveDialog key={opened?.openCount} passkey={about.passkey} returnTo={box} />}
      </Suspense>
    </Card>
  )
}
