import { useId, useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FieldError } from '#web/ui/form/field-error.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { Note } from '#web/ui/note.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import {
  createStaffRole,
  deleteStaffRole,
  getStaff,
  newStaffRole,
  type StaffRoleRow,
  updateStaffRole,
} from '../admin-contract.ts'
import { permissionGroups } from '../permission-rules.ts'
import { builtInRoleMessage } from '../rules.ts'

interface Props {
  /** Null to add a role. */
  role: StaffRoleRow | null
  returnTo: () => HTMLElement | null
}

/** Adds, changes or deletes a role. A built-in role is read-only. */
export function RoleDialog({ role, returnTo }: Props) {
  const id = useId()
  const [open, setOpen] = useState(true)
  const create = useSend(createStaffRole, [getStaff])
  const update = useSend(updateStaffRole, [getStaff])
  const remove = useSend(deleteStaffRole, [getStaff])
  const isBuiltIn = role !== null && role.key !== null
  const form = useSchemaForm({
    schema: newStaffRole,
    id,
    fields: ['name', 'description', 'permissions'],
    defaultValues: {
      name: role?.name ?? '',
      description: role?.description ?? '',
      permissions: role?.permissions ?? [],
    },
  })
  const { error: missing } = form.field('permissions')
  const submit = form.onSubmit(async (body) => {
    if (role) await update.mutateAsync({ params: { roleId: role.id }, body: { ...body, version: role.version } })
    else await create.mutateAsync({ body })
    setOpen(false)
    toast({ title: role ? 'Role saved' : 'Role added', description: `${body.name} takes effect immediately.` })
  })
  const deleteRole = () =>
    remove.mutate(
      { params: { roleId: role!.id }, query: { version: role!.version } },
      {
        onSuccess: () => {
          setOpen(false)
          toast({ title: 'Role deleted', description: `${role!.name} no longer exists.` })
        },
        onError: (error) => toast({ title: 'Role not deleted', description: messageOf(error), variant: 'destructive' }),
      },
    )
  return (
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      formId={`${id}-form`}
      title={role ? `Role ${role.name}` : 'Add Role'}
      description="A role decides what its members may see and do in the admin area."
      action={role ? 'Save Role' : 'Add Role'}
      disabled={isBuiltIn}
      pending={form.pending}
      dirty={form.isDirty}
      unsavedChanges="The role has not been saved yet."
      error={form.failure && form.problems.length === 0 ? { message: form.failure } : undefined}
      extra={
        role &&
        !isBuiltIn && (
          <Button variant="line" pending={remove.isPending} disabled={role.members > 0} onClick={deleteRole}>
            Delete Role
          </Button>
        )
      }
      returnTo={returnTo}
      size="wide"
    >
      <form id={`${id}-form`} onSubmit={submit} noValidate className="grid gap-4">
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        {isBuiltIn && <Note>{builtInRoleMessage}</Note>}
        <Field label="Name" {...form.field('name')}>
          <Input {...form.register('name')} readOnly={isBuiltIn} autoComplete="off" maxLength={40} required />
        </Field>
        <Field label="Description" optional {...form.field('description')}>
          <Input {...form.register('description')} readOnly={isBuiltIn} autoComplete="off" maxLength={200} />
        </Field>
        {missing && <FieldError id={`${id}-permissions-error`}>{missing}</FieldError>}
        {permissionGroups.map((group, index) => (
          <fieldset key={group.label} disabled={isBuiltIn} className="grid gap-2">
            <legend className="field-label">{group.label}</legend>
            {Object.entries(group.permissions).map(([permission, text], at) => (
              <Checkbox
                key={permission}
                {...form.register('permissions')}
                {...(index === 0 && at === 0 && { id: `${id}-permissions` })}
                value={permission}
                label={text}
              />
            ))}
          </fieldset>
        ))}
      </form>
    </FormDialog>
  )
}
