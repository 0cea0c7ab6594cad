import { useQueryClient } from '@tanstack/react-query'
import { listPasskeys } from '#features/passkeys/contract.ts'
import { query, useSend } from '#web/data.ts'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { currentUser, passwordForm, profileChange, type User, updatePassword, updateProfile } from '../../contract.ts'
import { profileDraft } from './profile-draft.ts'

/** The form that changes name and email; `onDone` runs after saving. */
export function useProfileForm(user: User, onDone: () => void) {
  const client = useQueryClient()
  const send = useSend(updateProfile)
  const form = useSchemaForm({
    schema: profileChange,
    id: 'profile',
    fields: ['fullName', 'email', 'currentPassword', 'code'],
    defaultValues: { fullName: user.fullName ?? '', email: user.email, currentPassword: '' },
    draft: profileDraft(user),
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

/** The form that changes the password; `onDone` runs after saving. */
export function usePasswordForm(onDone: () => void) {
  const client = useQueryClient()
  const send = useSend(updatePassword, [listPasskeys])
  const form = useSchemaForm({
    schema: passwordForm,
    id: 'password',
    fields: ['currentPassword', 'newPassword', 'confirmPassword', 'removePasskeys', 'keepDevices'],
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
