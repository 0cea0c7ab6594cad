import { useId, useState } from 'react'
import { listUsers } from '#features/accounts/admin-contract.ts'
import { currentUser } from '#features/accounts/contract.ts'
import { useSend } from '#web/data.ts'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { Note } from '#web/ui/note.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { addMember, changeMember, getStaff, newMember, type Staff } from '../admin-contract.ts'
import { ownerName } from '../rules.ts'

interface Props {
  /** Null to add a member. */
  member: Staff['members'][number] | null
  roles: Staff['roles']
  returnTo: () => HTMLElement | null
}

/** Gives an account a staff role, changes the role of a member, or removes it. */
export function MemberDialog({ member, roles, returnTo }: Props) {
  const id = useId()
  const [open, setOpen] = useState(true)
  const refreshed = [getStaff, listUsers, currentUser]
  const add = useSend(addMember, refreshed)
  const change = useSend(changeMember, refreshed)
  const form = useSchemaForm({
    schema: newMember,
    id,
    fields: ['account', 'role'],
    defaultValues: {
      account: member?.username ?? '',
      role: member ? String(member.staffRoleId ?? 'owner') : String(roles[0]?.id ?? 'owner'),
    },
  })
  const submit = form.onSubmit(async ({ account, role }) => {
    const { username } = member
      ? await change.mutateAsync({ params: { userId: member.id }, body: { role } })
      : await add.mutateAsync({ body: { account, role } })
    setOpen(false)
    toast({
      title: member ? 'Role changed' : 'Member added',
      description: `${username} ${role === 'none' ? 'is a customer again' : 'has the new role'} from the next request.`,
    })
  })
  return (
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      formId={`${id}-form`}
      title={member ? `Role of ${member.username}` : 'Add Member'}
      description={
        member ? member.email : 'The account must exist. Create a customer first, or ask the person to register.'
      }
      action={member ? 'Change Role' : 'Add Member'}
      pending={form.pending}
      dirty={form.isDirty}
      unsavedChanges="The role has not been changed yet."
      error={form.failure && form.problems.length === 0 ? { message: form.failure } : undefined}
      returnTo={returnTo}
    >
      <form id={`${id}-form`} onSubmit={submit} noValidate className="grid gap-4">
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        {!member && (
          <Field label="Username or email" {...form.field('account')}>
            <Input {...form.register('account')} autoComplete="off" autoCapitalize="none" spellCheck={false} required />
          </Field>
        )}
        <Field label="Role" {...form.field('role')}>
          <NativeSelect {...form.register('role')}>
            <option value="owner">{ownerName}: full access, including staff</option>
            {roles.map((role) => (
              <option key={role.id} value={String(role.id)}>
                {role.name}
              </option>
            ))}
            {member && <option value="none">No admin access (customer only)</option>}
          </NativeSelect>
        </Field>
        <Note>Takes effect immediately. All owners get an email.</Note>
      </form>
    </FormDialog>
  )
}
