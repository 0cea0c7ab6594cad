import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { settingSections } from '../../admin-contract.ts'
import { trustedRails } from '../../contract.ts'
import { SettingForm } from '../setting-form.tsx'
import { type Stored, useSettingForm } from '../use-setting-form.ts'

const names = {
  ...{ cashapp: 'Cash App', venmo: 'Venmo', zelle: 'Zelle', paypal: 'PayPal' },
  ...{ chime: 'Chime', wise: 'Wise', bank: 'Bank transfer', card: 'Card' },
}
const trustedFields = trustedRails.map((rail) => `trustedDays.${rail}` as const)

export function PaymentDeskSetting({ stored }: { stored: Stored }) {
  const setting = useSettingForm({
    section: 'payment-desk',
    title: 'Payment Desk',
    schema: settingSections['payment-desk'],
    fields: ['acceptedCents', 'secondPersonDollars', 'lateDays', 'emailDays', 'isPrivateAccount', ...trustedFields],
    stored,
  })
  const { field, register } = setting.form
  const number = (
    name: 'acceptedCents' | 'secondPersonDollars' | 'lateDays' | 'emailDays' | (typeof trustedFields)[0],
  ) => register(name, { valueAsNumber: true })
  return (
    <SettingForm setting={setting} hint="The rules for accepting payments, and which payment data is stored.">
      <Field
        label="Largest difference to accept, in cents"
        hint="A payment that is short by at most this amount can be accepted with a reason. The invoice is reduced by the difference. 0 means never."
        {...field('acceptedCents')}
      >
        <Input {...number('acceptedCents')} type="number" min={0} max={10000} required />
      </Field>
      <Field
        label="Require two administrators above, in dollars"
        hint="A decision about a larger payment takes effect when a second administrator makes the same one. 0 means never."
        {...field('secondPersonDollars')}
      >
        <Input {...number('secondPersonDollars')} type="number" min={0} max={1000000} required />
      </Field>
      <Field
        label="Days a late payment is honored"
        hint="Counted from the deadline of the order."
        {...field('lateDays')}
      >
        <Input {...number('lateDays')} type="number" min={0} max={365} required />
      </Field>
      <Field label="Days to store payment emails" hint="The payments found in them are kept." {...field('emailDays')}>
        <Input {...number('emailDays')} type="number" min={1} max={3650} required />
      </Field>
      <Checkbox
        label="These accounts also receive personal payments"
        hint="Payments that have nothing to do with an order are not recorded."
        {...field('isPrivateAccount')}
        {...register('isPrivateAccount')}
      />
      <fieldset className="grid gap-3">
        <legend className="font-semibold">Days until payments count as final</legend>
        <p className="text-sm text-fg-2">
          A referral bonus becomes credit after these days, and not before the money-back guarantee ends. PayPal and
          cards can take money back for up to 180 days.
        </p>
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
          {trustedRails.map((rail) => (
            <Field key={rail} label={names[rail]} {...field(`trustedDays.${rail}`)}>
              <Input {...number(`trustedDays.${rail}`)} type="number" min={0} max={365} required />
            </Field>
          ))}
        </div>
      </fieldset>
    </SettingForm>
  )
}
