import { useSuspenseQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { getCustomer } from '#features/customers/admin-contract.ts'
import { query, useSend } from '#web/data.ts'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { RadioCards } from '#web/ui/form/radio-cards.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { Note } from '#web/ui/note.tsx'
import type { RowDialogProps } from '#web/ui/table/row-dialogs.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { listUsers, roleChange, type UserRow, updateRole } from '../admin-contract.ts'
import { currentUser } from '../contract.ts'
import { roleNames } from '../rules.ts'

const choices = [
  { value: 'user', title: roleNames.user, description: 'Uses the service and manages their own account' },
  { value: 'admin', title: roleNames.admin, description: 'Admins have full access to manage the system' },
] as const

/** The Change User Role dialog. Specification 2, Admin Panel. */
export function AdminRoleDialog({ opened: user, returnTo }: RowDialogProps<UserRow>) {
  const { data: me } = useSuspenseQuery(query(currentUser))
  const router = useRouter()
  const id = useId()
  const [open, setOpen] = useState(true)
  const send = useSend(updateRole, [listUsers, getCustomer, currentUser])
  const form = useSchemaForm({
    schema: roleChange,
    id,
    fields: ['role'],
    defaultValues: { role: user.role },
    onFailure: (message) => toast({ title: 'Update Failed', description: message, variant: 'destructive' }),
  })
  const isSelf = me?.id === user.id
  const losesAdminAccess = isSelf && user.role === 'admin' && form.watch('role') === 'user'
  const submit = form.onSubmit(async (body) => {
    const { username, role } = await send.mutateAsync({ params: { userId: user.id }, body })
    setOpen(false)
    toast({
      title: 'Role updated',
      description: `${username} is now ${role === 'admin' ? 'an administrator' : 'a regular user'}.`,
    })
    if (isSelf) await router.invalidate()
  })

  return (
    <FormDialog
      alert
      open={open}
      onClose={() => setOpen(false)}
      formId={id}
      action="Update Role"
      pending={form.pending}
      title="Change User Role"
      description={`Account ${user.username}, ${user.email}`}
      returnTo={returnTo}
      error={form.failure ? { message: form.failure } : undefined}
    >
      <form id={id} noValidate onSubmit={submit} className="grid gap-4">
        <RadioCards legend="Role" options={choices} {...form.field('role')} {...form.register('role')} />
        {losesAdminAccess ? (
          <Note tone="warn">This is your own account: you will lose access to the Admin Panel immediately.</Note>
        ) : (
          <Note>Takes effect immediately. {user.username} does not need to log in again.</Note>
        )}
      </form>
    </FormDialog>
  )
}
