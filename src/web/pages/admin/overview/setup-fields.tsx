import { useQuery } from '@tanstack/react-query'
import { getSetting, settingSections } from '#features/settings/admin-contract.ts'
import { type Stored, useSettingForm } from '#features/settings/web/use-setting-form.ts'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FormError } from '#web/ui/form/form-error.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** The fields of the setup step that is edited in place: the payment handles. */
export function SetupFields() {
  const { data } = useQuery(query(getSetting, { params: { section: 'payments' } }))
  return data ? <HandleFields stored={data} /> : <Skeleton className="h-40" />
}

function HandleFields({ stored }: { stored: Stored }) {
  const { form, submit } = useSettingForm({
    section: 'payments',
    title: 'Payments',
    schema: settingSections.payments,
    fields: ['cashtag', 'venmoHandle'],
    stored,
  })
  return (
    <form noValidate onSubmit={submit} className="setup-fields" aria-label="Payment handles">
      <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
      <Field label="Cash App cashtag" hint="With the dollar sign, such as $YourName." {...form.field('cashtag')}>
        <Input {...form.register('cashtag')} autoComplete="off" spellCheck={false} autoCapitalize="none" />
      </Field>
      <Field label="Venmo handle" hint="With the at sign, such as @saucetv." {...form.field('venmoHandle')}>
        <Input {...form.register('venmoHandle')} autoComplete="off" spellCheck={false} autoCapitalize="none" />
      </Field>
      {form.failure && form.problems.length === 0 && <FormError message={form.failure} />}
      <Button {...form.button}>Save Handles</Button>
    </form>
  )
}
