import { useSuspenseQuery } from '@tanstack/react-query'
import { currentUser } from '#features/accounts/contract.ts'
import { serverMessageOr } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FormError } from '#web/ui/form/form-error.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Textarea } from '#web/ui/form/textarea.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { createTrialRequest, listTrialRequests, trialForm } from '../contract.ts'

const trialFields = ['device', 'message'] as const

export function TrialForm({ onSent }: { onSent: () => void }) {
  const { data: user } = useSuspenseQuery(query(currentUser))
  const send = useSend(createTrialRequest, [listTrialRequests])
  const form = useSchemaForm({
    schema: trialForm,
    id: 'trial',
    fields: trialFields,
    draft: { key: 'trial', owner: user?.id, fields: trialFields },
    onFailure: (_, error) =>
      toast({
        title: 'Failed to submit request',
        description: serverMessageOr(error, 'Failed to submit trial request'),
        variant: 'destructive',
      }),
  })
  const submit = form.onSubmit(async (body) => {
    await send.mutateAsync({ body })
    onSent()
    toast({ title: 'Trial Request Submitted', description: "We'll review your request as soon as possible." })
  })
  return (
    <Card title="Tell Us What to Set Up" titleId="trial-form-title">
      <form noValidate className="grid gap-5" onSubmit={submit}>
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        <Field
          label="Device"
          hint="What you will watch on, such as a Firestick, a smart TV or a phone."
          {...form.field('device')}
        >
          <Input {...form.register('device')} autoComplete="off" required />
        </Field>
        <Field
          label="Message"
          hint="Why you would like a trial, and what you want to watch."
          {...form.field('message')}
        >
          <Textarea {...form.register('message')} rows={5} required />
        </Field>
        {form.failure && <FormError message={form.failure} code={form.failureCode} />}
        <div>
          <Button {...form.button} size="lg">
            Request Trial
          </Button>
        </div>
      </form>
    </Card>
  )
}
