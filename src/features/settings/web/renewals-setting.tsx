import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { settingSections } from '../admin-contract.ts'
import { SettingForm } from './setting-form.tsx'
import { type Stored, useSettingForm } from './use-setting-form.ts'

export function RenewalsSetting({ stored }: { stored: Stored }) {
  const setting = useSettingForm({
    section: 'renewals',
    title: 'Renewals',
    schema: settingSections.renewals,
    fields: ['daysAhead', 'reminderDays'],
    stored,
  })
  const { field, register } = setting.form
  return (
    <SettingForm
      setting={setting}
      hint="Customers are never charged automatically. They get an invoice and reminders before their subscription ends. Paying early does not shorten the paid time."
    >
      <Field label="Days before the end to create a renewal invoice" hint="0 means never." {...field('daysAhead')}>
        <Input {...register('daysAhead', { valueAsNumber: true })} type="number" min={0} max={60} required />
      </Field>
      <Field
        label="Days before the end to email a reminder"
        hint="For example 7, 3, 1. Leave empty for none."
        {...field('reminderDays')}
      >
        <Input {...register('reminderDays')} autoComplete="off" inputMode="numeric" />
      </Field>
    </SettingForm>
  )
}
