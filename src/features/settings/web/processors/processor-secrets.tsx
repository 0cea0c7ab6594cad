import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  addProcessorSecret,
  listProcessors,
  type ProcessorState,
  removeProcessorSecret,
  secretForm,
} from '#features/receipts/admin-processor-contract.ts'
import { maxSigningSecrets, processorNames } from '#features/receipts/processor-rules.ts'
import { getTwoFactor } from '#features/two-factor/contract.ts'
import { messageOf } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FormError } from '#web/ui/form/form-error.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { May } from '#web/ui/permission/may.tsx'
import { useMay } from '#web/ui/permission/use-may.ts'
import { RelativeTime } from '#web/ui/time/relative-time.tsx'
import { toast } from '#web/ui/toast/toast.ts'

const empty = { secret: '', currentPassword: '', code: '' }
const where = { stripe: 'It begins with whsec_.', btcpay: 'BTCPay Server shows it when you create the webhook.' }

/** The signing secrets of a processor. Several are valid at the same time, so that one can be replaced without losing an event. */
export function ProcessorSecrets({ stored: { name, secrets } }: { stored: ProcessorState }) {
  const title = processorNames[name]
  const { data: twoFactor } = useQuery(query(getTwoFactor))
  const mayEdit = useMay()('settings.edit')
  const add = useSend(addProcessorSecret, [listProcessors])
  const form = useSchemaForm({
    schema: secretForm,
    id: `${name}-secret`,
    fields: ['secret', 'currentPassword', 'code'],
    defaultValues: empty,
  })
  const submit = form.onSubmit(async (body) => {
    const { code, ...rest } = body
    await add.mutateAsync({ params: { processor: name }, body: { ...rest, ...(code && { code }) } })
    form.reset(empty)
    toast({ title: 'Secret added', description: `${title}: events that it signs are accepted now.` })
  })
  return (
    <Card title={`Signing Secrets of ${title}`} heading="h3">
      <div className="grid max-w-160 gap-5">
        <p className="text-fg-2">
          An event is accepted if one of these secrets signed it. To replace a secret, add the new one, wait until it is
          used, and remove the old one.
        </p>
        {secrets.length > 0 && (
          <ul className="grid gap-3" aria-label={`Signing secrets of ${title}`}>
            {secrets.map((secret) => (
              <SecretEntry key={secret.id} processor={name} secret={secret} />
            ))}
          </ul>
        )}
        {secrets.length < maxSigningSecrets && mayEdit && (
          <form noValidate className="grid gap-4" onSubmit={submit}>
            <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
            <Field
              label={secrets.length === 0 ? 'Signing secret' : 'Another signing secret'}
              hint={`${where[name]} It is stored encrypted and never shown again.`}
              {...form.field('secret')}
            >
              <PasswordInput {...form.register('secret')} autoComplete="off" />
            </Field>
            <Field label="Current password" hint="To confirm that it’s you." {...form.field('currentPassword')}>
              <PasswordInput {...form.register('currentPassword')} autoComplete="current-password" required />
            </Field>
            {twoFactor?.enabled && (
              <Field label="Code" hint="From your authenticator app, or a recovery code." {...form.field('code')}>
                <Input {...form.register('code')} autoComplete="one-time-code" spellCheck={false} required />
              </Field>
            )}
            {form.failure && form.problems.length === 0 && <FormError message={form.failure} />}
            <div>
              <Button variant="line" {...form.button}>
                Add Secret
              </Button>
            </div>
          </form>
        )}
      </div>
    </Card>
  )
}

type Secret = ProcessorState['secrets'][number]
function SecretEntry({ processor, secret }: { processor: ProcessorState['name']; secret: Secret }) {
  const [asking, setAsking] = useState(false)
  const remove = useSend(removeProcessorSecret, [listProcessors])
  const confirm = () =>
    remove.mutate(
      { params: { processor, secretId: secret.id } },
      {
        onError: (error) =>
          toast({ title: 'Secret not removed', description: messageOf(error), variant: 'destructive' }),
        onSettled: () => setAsking(false),
      },
    )
  return (
    <li className="flex flex-wrap items-center justify-between gap-3">
      <p>
        <span className="num font-medium">Ends in {secret.ending}</span>
        <span className="block text-sm text-fg-2">
          Added <RelativeTime value={secret.createdAt} />,{' '}
          {secret.lastUsedAt ? (
            <>
              used <RelativeTime value={secret.lastUsedAt} />
            </>
          ) : (
            'not used yet'
          )}
        </span>
      </p>
      <May needs="settings.edit">
        <Button size="sm" variant="line" onClick={() => setAsking(true)}>
          Remove<span className="sr-only"> the secret that ends in {secret.ending}</span>
        </Button>
      </May>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Remove the secret that ends in ${secret.ending}?`}
        description="Events that it signs are refused from then on."
        action="Remove Secret"
        pending={remove.isPending}
        onConfirm={confirm}
      />
    </li>
  )
}
