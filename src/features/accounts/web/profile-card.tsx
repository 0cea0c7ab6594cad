import { useSuspenseQuery } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState } from 'react'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Note } from '#web/ui/note.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { currentUser } from '../contract.ts'
import type { ProfilePart } from './edit-profile-dialog.tsx'

const loadDialog = () => import('./edit-profile-dialog.tsx')
const EditProfileDialog = lazy(() => loadDialog().then((module) => ({ default: module.EditProfileDialog })))
const preload = () => void loadDialog()

export function ProfileCard() {
  const { data: user } = useSuspenseQuery(query(currentUser))
  const [edited, setEdited] = useState<{ turn: number; part: ProfilePart }>()
  const button = useRef<HTMLButtonElement>(null)
  if (!user) return null
  const edit = (part: ProfilePart) => setEdited((before) => ({ turn: (before?.turn ?? 0) + 1, part }))
  const editButton = (
    <Button ref={button} variant="line" size="sm" aria-haspopup="dialog" onPointerEnter={preload} onFocus={preload} onClick={() => edit('profile')}>
      Edit Profile
    </Button>
  )

  return (
    <Card title="Profile Information" titleId="profile-title" aside={editButton}>
      {user.mustChangePassword && (
        <Note
          tone="warn"
          className="mb-5"
          action={
            <Button variant="ink" size="sm" onClick={() => edit('password')}>
              Change Password
            </Button>
          }
        >
          An administrator has set your password. Please choose one of your own.
        </Note>
      )}
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
      <Suspense>{edited && <EditProfileDialog key={edited.turn} user={user} startAt={edited.part} returnTo={button} />}</Suspense>
    </Card>
  )
}
