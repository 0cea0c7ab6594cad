import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getCustomer } from '#features/customers/admin-contract.ts'
import { query, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { Note } from '#web/ui/note.tsx'
import type { RowDialogProps } from '#web/ui/table/row-dialogs.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { listUsers, passwordResetForm, resetPassword, type UserRow } from '../admin-contract.ts'
import { currentUser } from '../contract.ts'
import { ownPasswordMessage } from '../rules.ts'

const formId = 'admin-password'

/** The Reset User Password dialog. Specification 2, Admin Panel. */
export function AdminPasswordDialog({ opened: user, returnTo }: RowDialogProps<UserRow>) {
  const { data: me } = useSuspenseQuery(query(currentUser))
  const [open, setOpen] = useState(true)
  const send = useSend(resetPassword, [listUsers, getCustomer])
  const form = useSchemaForm({
    schema: passwordResetForm,
    id: formId,
    fields: ['newPassword', 'confirmPassword', 'removeTwoFactor'],
    onFailure: (message) => toast({ title: 'Failed to reset password', description: message, variant: 'destructive' }),
  })
  const submit = form.onSubmit(async ({ newPassword, removeTwoFactor }) => {
    const { username } = await send.mutateAsync({ params: { userId: user.id }, body: { newPassword, removeTwoFactor } })
    setOpen(false)
    toast({ title: 'Password reset', description: `${username} must choose a new password after the next login.` })
  })
  const isSelf = me?.id === user.id

  return (
    <FormDialog
      alert
      open={open}
      onClose={() => setOpen(false)}
      formId={formId}
      action="Reset Password"
      destructive
      pending={form.pending}
      title="Reset User Password"
      description={`Account ${user.username}, ${user.email}`}
      keepOnOutsidePress={!isSelf}
      returnTo={returnTo}
      error={form.failure && form.problems.length === 0 ? { message: form.failure } : undefined}
      footer={
        isSelf && (
          <>
            <Button variant="line" onClick={() => setOpen(false)}>
              Cancel
            </Button>
            <ButtonLink to="/dashboard">My Account</ButtonLink>
          </>
        )
      }
    >
      {isSelf ? (
        <Note>{ownPasswordMessage}</Note>
      ) : (
        <form id={formId} noValidate onSubmit={submit} className="grid gap-5">
          <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
          <Field label="New Password" hint="At least 6 characters" {...form.field('newPassword')}>
            <PasswordInput {...form.register('newPassword')} autoComplete="new-password" required />
          </Field>
          <Field label="Confirm Password" {...form.field('confirmPassword')}>
            <PasswordInput {...form.register('confirmPassword')} autoComplete="new-password" required />
          </Field>
          <Checkbox
            label="Turn off two-step verification"
            hint="Choose this if someone else had access to the account, or if the customer lost their device."
            {...form.register('removeTwoFactor')}
          />
          <Note tone="warn">
            {user.username} will be logged out everywhere and their passkeys will be removed. They get an email without
            the password, so please pass it on yourself. It works for one login; then they must choose a new one.
          </Note>
        </form>
      )}
    </FormDialog>
  )
}
