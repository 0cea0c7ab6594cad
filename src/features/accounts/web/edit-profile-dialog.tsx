import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'
import { listPasskeys } from '#features/passkeys/contract.ts'
import { query, useSend } from '#web/data.ts'
import { FormDialog } from '#web/ui/form/form-dialog.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { TabPanel } from '#web/ui/tab-panel.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { toast } from '#web/ui/toast.ts'
import { currentUser, passwordForm, profileChange, type User, updatePassword, updateProfile } from '../contract.ts'
import { EditProfileFields } from './edit-profile-fields.tsx'
import { EditProfilePassword } from './edit-profile-password.tsx'

type ProfilePart = 'profile' | 'password'

interface Props {
  user: User
  /** The button that opened the dialog. */
  returnTo: RefObject<HTMLElement | null>
}

const tabs = [
  { value: 'profile', label: 'Name and Email' },
  { value: 'password', label: 'Password' },
] as const
const actions: Record<ProfilePart, string> = { profile: 'Save Changes', password: 'Change Password' }
const firstField: RefObject<HTMLElement | null> = {
  get current() {
    return document.querySelector<HTMLElement>(
      '#edit-profile-panel-profile input, #edit-profile-panel-password input:not([hidden])',
    )
  },
}

/** The Edit Profile dialog. It is open on mount; remount it with a new key for every opening. */
export function EditProfileDialog({ user, returnTo }: Props) {
  const [open, setOpen] = useState(true)
  const [part, setPart] = useState<ProfilePart>('profile')
  const profile = useProfileForm(user, () => setOpen(false))
  const password = usePasswordForm(() => setOpen(false))
  const { form } = { profile, password }[part]

  return (
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      formId={`edit-${part}`}
      action={actions[part]}
      pending={form.pending}
      title="Edit Profile"
      description={`Your username stays ${user.username}.`}
      keepOnOutsidePress
      initialFocus={firstField}
      returnTo={returnTo}
    >
      <Tabs
        id="edit-profile"
        label="What to edit"
        tabs={tabs}
        value={part}
        onChange={(next) => !form.pending && setPart(next)}
      />
      <TabPanel id="edit-profile" value={part} className="pt-5 pb-2">
        {part === 'profile' ? (
          <EditProfileFields {...profile} email={user.email} />
        ) : (
          <EditProfilePassword {...password} username={user.username} />
        )}
      </TabPanel>
    </FormDialog>
  )
}

function useProfileForm(user: User, onDone: () => void) {
  const client = useQueryClient()
  const send = useSend(updateProfile)
  const form = useSchemaForm({
    schema: profileChange,
    id: 'profile',
    fields: ['fullName', 'email', 'currentPassword', 'code'],
    defaultValues: { fullName: user.fullName ?? '', email: user.email, currentPassword: '' },
    onFailure: (message) => toast({ title: 'Failed to update profile', description: message, variant: 'destructive' }),
  })
  const submit = form.onSubmit(async (body) => {
    const changed = await send.mutateAsync({ body })
    client.setQueryData(query(currentUser).queryKey, changed)
    const emailChanged = changed.email !== user.email
    toast({
      title: 'Profile updated',
      description: emailChanged
        ? 'Your changes are saved. We also notified your old address.'
        : 'Your changes are saved.',
    })
    onDone()
  })
  return { form, submit }
}
export type ProfileForm = ReturnType<typeof useProfileForm>

function usePasswordForm(onDone: () => void) {
  const client = useQueryClient()
  const send = useSend(updatePassword, [listPasskeys])
  const form = useSchemaForm({
    schema: passwordForm,
    id: 'password',
    fields: ['currentPassword', 'newPassword', 'confirmPassword', 'removePasskeys'],
    onFailure: (message) => toast({ title: 'Failed to change password', description: message, variant: 'destructive' }),
  })
  const submit = form.onSubmit(async ({ confirmPassword: _, ...body }) => {
    const changed = await send.mutateAsync({ body })
    client.setQueryData(query(currentUser).queryKey, changed)
    toast({
      title: 'Password changed',
      description: 'Your new password is now active. You have been logged out everywhere else.',
    })
    onDone()
  })
  return { form, submit }
}
export type PasswordForm = ReturnType<typeof usePasswordForm>
