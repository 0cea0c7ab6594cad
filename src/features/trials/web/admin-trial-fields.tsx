import { useCallback } from 'react'
import { Button } from '#web/ui/button/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
import { Textarea } from '#web/ui/form/textarea.tsx'
import type { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import type { AdminTrialRequest, TrialDecision, TrialLine } from '../admin-contract.ts'
import { trialStatus } from '../contract.ts'
import { statusNames, trialLengths } from '../rules.ts'
import { localMinute, type TrialFields } from './admin-trial-decision.ts'
import { AdminTrialLine } from './admin-trial-line.tsx'

interface Props {
  request: AdminTrialRequest
  form: ReturnType<typeof useSchemaForm<TrialFields, TrialDecision>>
}

/** The fields for status, credentials, expiry date and admin notes. */
export function AdminTrialFields({ request, form }: Props) {
  const { register, field } = form
  const isDenied = form.watch('status') === 'denied'
  const setDuration = (hours: number) =>
    form.setValue('expiryDate', localMinute(new Date(Date.now() + hours * 3_600_000)), {
      shouldDirty: true,
      shouldValidate: form.submitCount > 0,
    })
  // Only fills in the form; the administrator still has to save it.
  const { setValue } = form
  const fill = useCallback(
    ({ username, password, server, expiryDate }: TrialLine) => {
      const set = (name: 'trialUsername' | 'trialPassword' | 'trialServer' | 'expiryDate' | 'status', value: string) =>
        setValue(name, value as never, { shouldDirty: true })
      set('status', 'approved')
      set('trialUsername', username ?? '')
      set('trialPassword', password ?? '')
      set('trialServer', server ?? '')
      if (expiryDate) set('expiryDate', localMinute(new Date(expiryDate)))
    },
    [setValue],
  )
  return (
    <>
      <Field label="Status" {...field('status')}>
        <NativeSelect {...register('status')}>
          {trialStatus.options.map((status) => (
            <option key={status} value={status}>
              {statusNames[status]}
              {status === request.status && ' (now)'}
            </option>
          ))}
        </NativeSelect>
      </Field>
      <fieldset className="grid gap-4">
        <legend className="mb-3 text-fg-2">
          The customer sees these on the trial page as soon as the request is approved, until the trial ends.
        </legend>
        <AdminTrialLine requestId={request.id} onReady={fill} />
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Trial Username" {...field('trialUsername')}>
            <Input {...register('trialUsername')} autoComplete="off" autoCapitalize="none" spellCheck={false} />
          </Field>
          <Field label="Trial Password" {...field('trialPassword')}>
            <PasswordInput {...register('trialPassword')} autoComplete="new-password" />
          </Field>
        </div>
        <Field label="Trial Server" {...field('trialServer')}>
          <Input {...register('trialServer')} autoComplete="off" autoCapitalize="none" spellCheck={false} />
        </Field>
        <div className="grid gap-2">
          <Field
            label="Expiry Date"
            hint={`In your time zone, ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`}
            {...field('expiryDate')}
          >
            <Input type="datetime-local" {...register('expiryDate')} />
          </Field>
          <p className="flex flex-wrap gap-2">
            {trialLengths.map((hours) => (
              <Button key={hours} variant="soft" size="sm" onClick={() => setDuration(hours)}>
                {hours} hours from now
              </Button>
            ))}
          </p>
        </div>
      </fieldset>
      <Field
        label={isDenied ? 'Admin Notes (required)' : 'Admin Notes'}
        hint={
          isDenied
            ? `Shown to ${request.user.username} as the reason, on the trial page and in the email.`
            : 'Not visible to users unless the request is denied.'
        }
        {...field('adminNotes')}
      >
        <Textarea rows={3} {...register('adminNotes')} />
      </Field>
    </>
  )
}
