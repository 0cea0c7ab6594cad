import { useSuspenseQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { currentUser } from '#features/accounts/contract.ts'
import { listPlans } from '#features/catalog/contract.ts'
import { query, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FormError } from '#web/ui/form/form-error.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import { Textarea } from '#web/ui/form/textarea.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { createInquiry, inquiry } from '../contract.ts'

const noPlan = 'none'
const inquiryFields = ['name', 'email', 'message', 'planId', 'newsletterOpt'] as const

/** The contact form. It keeps the input until the inquiry is accepted. Specification 2, Contact. */
export function InquiryForm() {
  const { data: plans } = useSuspenseQuery(query(listPlans))
  const { data: user } = useSuspenseQuery(query(currentUser))
  const send = useSend(createInquiry)
  const element = useRef<HTMLFormElement>(null)
  const form = useSchemaForm({
    schema: inquiry,
    id: 'inquiry',
    fields: inquiryFields,
    draft: { key: 'inquiry', owner: user?.id, fields: inquiryFields },
    onFailure: (message) =>
      toast({ title: 'Error', description: `Failed to submit the form: ${message}`, variant: 'destructive' }),
  })
  const submit = form.onSubmit(async (body) => {
    await send.mutateAsync({ body })
    toast({ title: 'Success!', description: "Thank you for your message! We'll get back to you soon." })
    element.current?.reset()
    form.reset()
  })
  return (
    <form ref={element} noValidate className="grid gap-5" onSubmit={submit}>
      <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Name" {...form.field('name')}>
          <Input {...form.register('name')} autoComplete="name" required />
        </Field>
        <Field label="Email" {...form.field('email')}>
          <Input {...form.register('email')} type="email" autoComplete="email" required />
        </Field>
      </div>
      <Field label="Plan" optional {...form.field('planId')}>
        <NativeSelect
          {...form.register('planId', {
            setValueAs: (value) => (value === noPlan || !value ? undefined : Number(value)),
          })}
          defaultValue={noPlan}
        >
          <option value={noPlan}>No particular plan</option>
          {plans.map((plan) => (
            <option key={plan.id} value={plan.id}>
              {plan.name}
            </option>
          ))}
        </NativeSelect>
      </Field>
      <Field label="Message" {...form.field('message')}>
        <Textarea {...form.register('message')} rows={6} required />
      </Field>
      <Checkbox {...form.register('newsletterOpt')} label="Send me the newsletter with new channels and offers" />
      {form.failure && <FormError message={form.failure} code={form.failureCode} />}
      <div>
        <Button {...form.button} size="lg">
          Send Message
        </Button>
      </div>
    </form>
  )
}
