import { useState } from 'react'
import { permissionGroups } from '#features/staff/permission-rules.ts'
import { apiKeyScopes } from '#kit/api-keys.ts'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FieldError } from '#web/ui/form/field-error.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { createApiKey, listApiKeys, newApiKey } from '../admin-contract.ts'
import { CreatedKey } from './created-key.tsx'
import { ProofFields } from './proof-fields.tsx'

const id = 'api-key'
const isScope = ([permission]: [string, string]) => (apiKeyScopes as readonly string[]).includes(permission)
const groups = permissionGroups
  .map(({ label, permissions }) => ({ label, scopes: Object.entries(permissions).filter(isScope) }))
  .filter(({ scopes }) => scopes.length > 0)

/** Creates an API key and then shows it, once. */
export function CreateKeyDialog({ returnTo }: { returnTo: () => HTMLElement | null }) {
  const [open, setOpen] = useState(true)
  const [created, setCreated] = useState<{ key: string; name: string }>()
  const send = useSend(createApiKey, [listApiKeys])
  const form = useSchemaForm({
    schema: newApiKey,
    id,
    fields: ['name', 'scopes', 'endsOn', 'currentPassword', 'code'],
    defaultValues: { name: '', scopes: [], endsOn: '', currentPassword: '', code: '' },
  })
  const { error: missing } = form.field('scopes')
  const submit = form.onSubmit(async ({ code, ...rest }) => {
    const { apiKey, key } = await send.mutateAsync({ body: { ...rest, ...(code && { code }) } })
    setCreated({ key, name: apiKey.name })
  })
  return (
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      formId={`${id}-form`}
      title={created ? 'Copy your API key' : 'Create API Key'}
      description={
        created
          ? `${created.name} can be used now.`
          : 'A program with this key acts in your name. It may do what the scopes allow, but never more than you.'
      }
      action="Create API Key"
      pending={form.pending}
      dirty={!created && form.isDirty}
      unsavedChanges="The API key has not been created yet."
      keepOnOutsidePress
      error={form.failure && form.problems.length === 0 ? { message: form.failure } : undefined}
      footer={created && <Button onClick={() => setOpen(false)}>I’ve Saved It</Button>}
      returnTo={returnTo}
      size="wide"
    >
      {created ? (
        <CreatedKey text={created.key} />
      ) : (
        <form id={`${id}-form`} onSubmit={submit} noValidate className="grid gap-4">
          <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
          <Field label="Name" hint="The program that uses it." {...form.field('name')}>
            <Input {...form.register('name')} autoComplete="off" maxLength={60} required />
          </Field>
          {missing && <FieldError id={`${id}-scopes-error`}>{missing}</FieldError>}
          {groups.map(({ label, scopes }, index) => (
            <fieldset key={label} className="grid gap-2">
              <legend className="field-label">{label}</legend>
              {scopes.map(([scope, text], at) => (
                <Checkbox
                  key={scope}
                  {...form.register('scopes')}
                  {...(index === 0 && at === 0 && { id: `${id}-scopes` })}
                  value={scope}
                  label={text}
                />
              ))}
            </fieldset>
          ))}
          <Field
            label="Last day"
            optional
            hint="In UTC. Without a last day, the key works until it is revoked."
            {...form.field('endsOn')}
          >
            <Input type="date" {...form.register('endsOn')} />
          </Field>
          <ProofFields form={form} />
        </form>
      )}
    </FormDialog>
  )
}
