import { useSuspenseQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { readDraft } from '#web/ui/form/form-drafts.ts'
import { RelativeTime } from '#web/ui/time/relative-time.tsx'
import { currentUser } from '../../contract.ts'
import { VerifyEmailNote } from '../verify-email-note.tsx'
import { profileDraft } from './profile-draft.ts'

const loadDialog = () => import('./edit-profile-dialog.tsx')
const EditProfileDialog = lazy(() => loadDialog().then((module) => ({ default: module.EditProfileDialog })))
const preload = () => void loadDialog()

export function ProfileCard() {
  const { data: user } = useSuspenseQuery(query(currentUser))
  // The number of times the dialog was opened is its key, so that each opening starts with a fresh form.
  const [openCount, setOpenCount] = useState(0)
  const button = useRef<HTMLButtonElement>(null)
  // If the session ended while the dialog was open, it opens again after the login with the typed values.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens
  useEffect(() => {
    if (user && readDraft(profileDraft(user))) setOpenCount(1)
  }, [])
  if (!user) return null
  const editButton = (
    <Button
      ref={button}
      variant="line"
      size="sm"
      aria-haspopup="dialog"
      onPointerEnter={preload}
      onFocus={preload}
      onClick={() => setOpenCount(openCount + 1)}
    >
      Edit Profile
    </Button>
  )

  return (
    <Card title="Profile Information" titleId="profile-title" aside={editButton}>
      <VerifyEmailNote className="mb-5" />
      <dl className="grid gap-3.5 *:flex *:justify-between *:gap-4 [&_dd]:min-w-0 [&_dd]:text-right [&_dd]:font-semibold [&_dd]:wrap-anywhere [&_dt]:text-fg-2">
        <div>
          <dt>Username</dt>
          <dd>{user.username}</dd>
        </div>
        <div>
          <dt>Email</dt>
          <dd>{user.email}</dd>
        </div>
        {user.fullName && (
          <div>
            <dt>Full name</dt>
            <dd>{user.fullName}</dd>
          </div>
        )}
        <div>
          <dt>Member since</dt>
          <dd>
            <RelativeTime value={user.createdAt} />
          </dd>
        </div>
      </dl>
      <Suspense>{openCount > 0 && <EditProfileDialog key={openCount} user={user} returnTo={button} />}</Suspense>
    </Card>
  )
}
