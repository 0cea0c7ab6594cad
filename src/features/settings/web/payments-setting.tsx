import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { ListField } from '#web/ui/form/list-field.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import { Note } from '#web/ui/note.tsx'
import { settingSections } from '../admin-contract.ts'
import type { SettingValue } from '../contract.ts'
import { missingHandles } from './missing-handles.ts'
import { SettingForm } from './setting-form.tsx'
import { type Stored, useSettingForm } from './use-setting-form.ts'

export function PaymentsSetting({ stored }: { stored: Stored }) {
  const setting = useSettingForm({
    section: 'payments',
    title: 'Payments',
    schema: settingSections.payments,
    fields: [
      'offers.cashapp',
      'offers.venmo',
      'offers.creditcard',
      'cashtag',
      'venmoHandle',
      'notePrefix',
      'noteStyle',
      'identifyingCents',
      'verificationHours',
      'cardHours',
      'billFrom',
    ],
    stored,
  })
  const { form } = setting
  const { field, register } = form
  const missing = missingHandles(stored.value as SettingValue<'payments'>)
  return (
    <SettingForm
      setting={setting}
      hint="Where customers send payments. A mistake here sends money to someone else, so check carefully."
    >
      <fieldset className="grid gap-3">
        <legend className="mb-2 font-semibold">Payment methods that customers may choose</legend>
        <Checkbox label="Cash App" {...field('offers.cashapp')} {...register('offers.cashapp')} />
        <Checkbox label="Venmo" {...field('offers.venmo')} {...register('offers.venmo')} />
        <Checkbox
          label="Credit card, by a secure payment link"
          {...field('offers.creditcard')}
          {...register('offers.creditcard')}
        />
      </fieldset>
      {missing.length > 0 && (
        <Note tone="warn">
          Set the {missing.join(' and the ')} below. Until then, customers who choose it are asked to contact you before
          they pay.
        </Note>
      )}
      <Field label="Cash App cashtag" hint="With the dollar sign, such as $YourName." {...field('cashtag')}>
        <Input {...register('cashtag')} autoComplete="off" spellCheck={false} autoCapitalize="none" />
      </Field>
      <Field label="Venmo handle" hint="With the at sign, such as @saucetv." {...field('venmoHandle')}>
        <Input {...register('venmoHandle')} autoComplete="off" spellCheck={false} autoCapitalize="none" />
      </Field>
      <Field
        label="Prefix of the payment note"
        hint="Everything before the number, including the space at the end."
        {...field('notePrefix')}
      >
        <Input {...register('notePrefix')} autoComplete="off" spellCheck={false} required />
      </Field>
      <Field label="What follows the prefix" {...field('noteStyle')}>
        <NativeSelect {...register('noteStyle')}>
          <option value="number">The invoice number</option>
          <option value="phrase">A two-word phrase</option>
        </NativeSelect>
      </Field>
      <Checkbox
        label="Identify Cash App payments by their cents"
        hint="Takes 1 to 29 cents off an order, so that no other open order has its amount. Helps when customers leave out the note."
        {...field('identifyingCents')}
        {...register('identifyingCents')}
      />
      <Field
        label="Hours until a payment is verified"
        hint="The maximum, as stated on pages and in emails."
        {...field('verificationHours')}
      >
        <Input {...register('verificationHours', { valueAsNumber: true })} type="number" min={1} max={1000} required />
      </Field>
      <Field label="Hours until a card payment is verified" {...field('cardHours')}>
        <Input {...register('cardHours', { valueAsNumber: true })} type="number" min={1} max={1000} required />
      </Field>
      <ListField
        {...field('billFrom')}
        legend="From, on invoices"
        hint="Your name and address as shown on invoices. Without lines, invoices show the name of your brand and your contact address."
        noun="Line"
        values={form.watch('billFrom')}
        onChange={(billFrom) => form.setValue('billFrom', billFrom, form.asTyped)}
        errorAt={(index) => form.messageAt(`billFrom.${index}`)}
        maxItems={10}
      />
    </SettingForm>
  )
}
