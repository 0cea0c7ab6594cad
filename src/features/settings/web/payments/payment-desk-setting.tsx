import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { settingSections } from '../../admin-contract.ts'
import { SettingForm } from '../setting-form.tsx'
import { type Stored, useSettingForm } from '../use-setting-form.ts'

export function PaymentDeskSetting({ stored }: { stored: Stored }) {
  const setting = useSettingForm({
    section: 'payment-desk',
    title: 'Payment Desk',
    schema: settingSections['payment-desk'],
    fields: ['acceptedCents'],
    stored,
  })
  const { field, register } = setting.form
  return (
    <SettingForm setting={setting} hint="A payment that is short by a few cents can be accepted with a reason.">
      <Field
        label="Largest difference to accept, in cents"
        hint="The invoice is reduced by it. 0 means that a short payment is never accepted as it is."
        {...field('acceptedCents')}
      >
        <Input {...register('acceptedCents', { valueAsNumber: true })} type="number" min={0} max={10000} required />
      </Field>
    </SettingForm>
  )
}
