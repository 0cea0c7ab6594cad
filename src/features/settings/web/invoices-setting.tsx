import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { settingSections } from '../admin-contract.ts'
import { SettingForm } from './setting-form.tsx'
import { type Stored, useSettingForm } from './use-setting-form.ts'

export function InvoicesSetting({ stored }: { stored: Stored }) {
  const setting = useSettingForm({
    section: 'invoices',
    title: 'Invoices',
    schema: settingSections.invoices,
    fields: ['validDays', 'reminderHours'],
    stored,
  })
  const { field, register } = setting.form
  return (
    <SettingForm setting={setting} hint="Unpaid invoices expire. Existing invoices keep their expiry date.">
      <Field label="Days an invoice can be paid" {...field('validDays')}>
        <Input {...register('validDays', { valueAsNumber: true })} type="number" min={1} max={365} required />
      </Field>
      <Field
        label="Hours before expiry to email a reminder"
        hint="Sent once, for an order that was started but not submitted. 0 means never."
        {...field('reminderHours')}
      >
        <Input {...register('reminderHours', { valueAsNumber: true })} type="number" min={0} max={720} required />
      </Field>
    </SettingForm>
  )
}
