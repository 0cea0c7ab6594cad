import { useId, useState } from 'react'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FieldError } from '#web/ui/form/field-error.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { createWebhook, listWebhooks, newWebhook, updateWebhook, type WebhookRow } from '../admin-contract.ts'
import { type NoticeKind, noticeGroups, noticeKinds, typeLabels, webhookTypes } from '../rules.ts'
import { TargetFields } from './target-fields.tsx'
import { WebhookSecret } from './webhook-secret.tsx'

interface Props {
  /** The webhook to change; null to add one. */
  webhook: WebhookRow | null
  returnTo: () => HTMLElement | null
}

const isKnown = (kind: string): kind is NoticeKind => (noticeKinds as readonly string[]).includes(kind)
const workKinds = Object.keys(noticeGroups[0].kinds).filter(isKnown)

/** A dialog that adds or changes a webhook. After adding a signed webhook, the dialog shows the secret once. */
export function WebhookDialog({ webhook, returnTo }: Props) {
  const id = useId()
  const [open, setOpen] = useState(true)
  const [secret, setSecret] = useState<string | null>(null)
  const create = useSend(createWebhook, [listWebhooks])
  const update = useSend(updateWebhook, [listWebhooks])
  const form = useSchemaForm({
    schema: newWebhook,
    id,
    fields: ['type', 'name', 'address', 'token', 'chatId', 'kinds'],
    defaultValues: {
      type: webhook?.type ?? 'signed',
      name: webhook?.name ?? '',
      address: '',
      token: '',
      chatId: webhook?.chatId ?? '',
      kinds: webhook ? webhook.kinds.filter(isKnown) : workKinds,
    },
  })
  const { error: missing } = form.field('kinds')
  const submit = form.onSubmit(async ({ type, ...body }) => {
    if (webhook) {
      await update.mutateAsync({ params: { webhookId: webhook.id }, body: { ...body, version: webhook.version } })
      setOpen(false)
      toast({ title: 'Webhook saved', description: `The changes to ${body.name} are saved.` })
      return
    }
    const created = await create.mutateAsync({ body: { type, ...body } })
    toast({ title: 'Webhook added', description: `${body.name} will get notices from now on.` })
    if (created.secret === null) setOpen(false)
    else setSecret(created.secret)
  })
  return (
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      formId={`${id}-form`}
      title={secret ? 'Signing Secret' : webhook ? `Edit ${webhook.name}` : 'Add Webhook'}
      description={
        secret ? undefined : webhook ? typeLabels[webhook.type] : 'Each notice is sent as soon as the event happens.'
      }
      action={webhook ? 'Save Webhook' : 'Add Webhook'}
      pending={form.pending}
      dirty={form.isDirty && !secret}
      keepOnOutsidePress={form.isDirty || secret !== null}
      unsavedChanges="The webhook has not been saved yet."
      error={form.failure && form.problems.length === 0 ? { message: form.failure } : undefined}
      footer={
        secret && (
          <Button variant="primary" onClick={() => setOpen(false)}>
            Done
          </Button>
        )
      }
      returnTo={returnTo}
      size="wide"
    >
      {secret ? (
        <WebhookSecret secret={secret} />
      ) : (
        <form id={`${id}-form`} onSubmit={submit} noValidate className="grid gap-4">
          <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
          {!webhook && (
            <Field label="Type" {...form.field('type')}>
              <NativeSelect {...form.register('type')}>
                {webhookTypes.map((type) => (
                  <option key={type} value={type}>
                    {typeLabels[type]}
                  </option>
                ))}
              </NativeSelect>
            </Field>
          )}
          <Field label="Name" {...form.field('name')}>
            <Input {...form.register('name')} autoComplete="off" maxLength={60} required />
          </Field>
          <TargetFields type={form.watch('type')} isStored={webhook !== null} form={form} />
          {missing && <FieldError id={`${id}-kinds-error`}>{missing}</FieldError>}
          {noticeGroups.map(({ label, kinds }, index) => (
            <fieldset key={label} className="grid gap-2">
              <legend className="field-label">{label}</legend>
              {Object.entries(kinds).map(([kind, text], at) => (
                <Checkbox
                  key={kind}
                  {...form.register('kinds')}
                  {...(index === 0 && at === 0 && { id: `${id}-kinds` })}
                  value={kind}
                  label={text}
                />
              ))}
            </fieldset>
          ))}
        </form>
      )}
    </FormDialog>
  )
}
