import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getTwoFactor } from '#features/two-factor/contract.ts'
import { formatCents } from '#kit/money.ts'
import { query, useSend } from '#web/data.ts'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
import { RadioCards } from '#web/ui/form/radio-cards.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { Meter } from '#web/ui/meter.tsx'
import { Note } from '#web/ui/note.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { type Automation, getAutomation, updateAutomation } from '../admin-automation-contract.ts'
import {
  automationState,
  conditionTexts,
  decisionsNeeded,
  provableRails,
  reasonAgainstOn,
} from '../automation-rules.ts'
import { railNames } from '../rules.ts'
import { automationForm, changeOf, formValues } from './automation-form.ts'

interface Props {
  automation: Automation
  returnTo: () => HTMLElement | null
}

const formId = 'automation'
const modes = [
  { value: 'off', title: 'Off', description: 'An administrator confirms every payment.' },
  {
    value: 'shadow',
    title: 'Shadow mode',
    description: 'An administrator confirms every payment. The rule records what it would have confirmed.',
  },
  { value: 'on', title: 'On', description: 'Payments for which every condition holds are confirmed immediately.' },
]

/** The settings of automatic confirmation: its mode, conditions and limits. Open on first render; give it a new key for each opening. */
export function AutomationDialog({ automation, returnTo }: Props) {
  const [open, setOpen] = useState(true)
  const { data: twoFactor } = useQuery(query(getTwoFactor))
  const send = useSend(updateAutomation, [getAutomation])
  const form = useSchemaForm({
    schema: automationForm,
    id: formId,
    fields: [
      'mode',
      'rails',
      'maxDollars',
      'perDay',
      'perDayDollars',
      'perPayerDay',
      'perCustomerDay',
      'currentPassword',
      'code',
    ],
    defaultValues: formValues(automation),
    onFailure: (message) => toast({ title: 'Not saved', description: message, variant: 'destructive' }),
  })
  const submit = form.onSubmit(async (values) => {
    const saved = await send.mutateAsync({ body: changeOf(values, automation.version) })
    setOpen(false)
    toast({ title: 'Automatic confirmation saved', description: `The mode is now: ${automationState(saved)}.` })
  })
  const { agreed, differed, mode, confirmedToday, reason, changedBy, since } = automation
  const against = mode === 'on' ? null : mode === 'shadow' ? reasonAgainstOn(automation) : 'Turn on shadow mode first.'
  return (
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      formId={formId}
      action="Save"
      pending={form.pending}
      dirty={form.isDirty}
      unsavedChanges="The changes to automatic confirmation are not saved yet."
      title="Automatic Confirmation"
      description="Confirms payments automatically if a signed email or event proves them and every condition holds. An administrator always confirms payments that were typed in or come from statements."
      size="wide"
      returnTo={returnTo}
      error={form.failure && form.problems.length === 0 ? { message: form.failure } : undefined}
    >
      <form id={formId} noValidate onSubmit={submit} className="grid gap-6">
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        {reason && (
          <Note tone="warn">
            Automatic confirmation returned to shadow mode: {reason}. <DateText value={since} />
          </Note>
        )}
        <RadioCards
          legend="Mode"
          columns={3}
          id={`${formId}-mode`}
          options={modes.map((each) => ({ ...each, disabled: each.value === 'on' && against !== null }))}
          hint={against ?? (changedBy ? `Last changed by ${changedBy}.` : undefined)}
          {...form.register('mode')}
        />
        {mode === 'shadow' && (
          <Meter
            value={agreed}
            max={decisionsNeeded}
            label={`${agreed} of ${decisionsNeeded} decisions agree, ${differed} differ`}
            start={`${agreed} of ${decisionsNeeded} decisions agree`}
            end={`${differed} differ`}
          />
        )}
        {mode === 'on' && (
          <p className="num">
            Today: {confirmedToday.count} confirmed, {formatCents(confirmedToday.cents)}.
          </p>
        )}
        <details className="payment-conditions">
          <summary>Conditions for each payment</summary>
          <ul>
            {conditionTexts.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </details>
        <fieldset className="field">
          <legend className="field-label mb-1.5">Payments from</legend>
          <div className="flex flex-wrap gap-x-6 gap-y-2">
            {provableRails.map((rail) => (
              <Checkbox
                key={rail}
                value={rail}
                label={railNames[rail]}
                {...form.register('rails')}
                id={`${formId}-rails-${rail}`}
              />
            ))}
          </div>
        </fieldset>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Largest payment in dollars" {...form.field('maxDollars')}>
            <Input {...form.register('maxDollars')} inputMode="decimal" autoComplete="off" required />
          </Field>
          <Field label="Dollars per day" {...form.field('perDayDollars')}>
            <Input {...form.register('perDayDollars')} inputMode="decimal" autoComplete="off" required />
          </Field>
          <Field label="Payments per day" {...form.field('perDay')}>
            <Input {...form.register('perDay')} inputMode="numeric" autoComplete="off" required />
          </Field>
          <Field label="Payments per payer and day" {...form.field('perPayerDay')}>
            <Input {...form.register('perPayerDay')} inputMode="numeric" autoComplete="off" required />
          </Field>
          <Field label="Payments per customer and day" {...form.field('perCustomerDay')}>
            <Input {...form.register('perCustomerDay')} inputMode="numeric" autoComplete="off" required />
          </Field>
        </div>
        {form.watch('mode') === 'on' && (
          <div className="grid gap-4 sm:grid-cols-2">
            <Field label="Current Password" hint="To confirm that it’s you." {...form.field('currentPassword')}>
              <PasswordInput {...form.register('currentPassword')} autoComplete="current-password" required />
            </Field>
            {twoFactor?.enabled && (
              <Field label="Code" hint="From your authenticator app, or a recovery code." {...form.field('code')}>
                <Input {...form.register('code')} autoComplete="one-time-code" spellCheck={false} required />
              </Field>
            )}
          </div>
        )}
      </form>
    </FormDialog>
  )
}
