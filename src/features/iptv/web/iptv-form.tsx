import { useRef, useState } from 'react'
import { currentUser, type User } from '#features/accounts/contract.ts'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FormError } from '#web/ui/form/form-error.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { Note } from '#web/ui/note.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { iptvCredentials, syncAccount, validateAccount } from '../contract.ts'

const valid = { title: 'Validation Successful', description: 'Your IPTV credentials are valid.' }
const invalid = {
  title: 'Validation Failed',
  description: 'The IPTV credentials are invalid. Please check and try again.',
  variant: 'destructive',
} as const
const saved = { title: 'IPTV Account Synced', description: 'Your IPTV credentials have been saved and verified.' }
const enterToUpdate = 'Enter the password to update your account.'
const neverShown = 'Stored encrypted and never shown again.'
const notSaved = 'Unable to sync IPTV account. Please check your credentials.'

/** The form for the customer's own credentials: validate only, or validate and store (specification 2, IPTV Account). */
export function IptvForm({ user }: { user: User }) {
  const validate = useSend(validateAccount)
  const sync = useSend(syncAccount, [currentUser])
  const [verdict, setVerdict] = useState<{ tone: 'ok' | 'bad'; message: string }>()
  const failure = useRef('')
  const form = useSchemaForm({
    schema: iptvCredentials,
    id: 'iptv',
    fields: ['iptvUsername', 'iptvPassword'],
    onFailure: (message) => toast({ title: failure.current, description: message, variant: 'destructive' }),
  })

  const validateOnly = form.onSubmit(async (body) => {
    failure.current = 'Validation Error'
    setVerdict(undefined)
    const answer = await validate.mutateAsync({ body })
    toast(answer.valid ? valid : invalid)
    setVerdict({ tone: answer.valid ? 'ok' : 'bad', message: answer.message })
  })
  const syncCredentials = form.onSubmit(async (body) => {
    failure.current = 'Sync Error'
    setVerdict(undefined)
    const answer = await sync.mutateAsync({ body })
    if (answer.synced) {
      form.setValue('iptvPassword', '')
      return toast(saved)
    }
    toast({ title: 'Sync Failed', description: answer.message || notSaved, variant: 'destructive' })
    setVerdict({ tone: 'bad', message: answer.message || notSaved })
  })

  return (
    <form noValidate className="grid max-w-xl gap-5" onSubmit={syncCredentials} onInput={() => setVerdict(undefined)}>
      <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
      <Field label="IPTV Username" {...form.field('iptvUsername')}>
        <Input
          {...form.register('iptvUsername')}
          defaultValue={user.iptvUsername ?? undefined}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
      </Field>
      <Field label="IPTV Password" hint={user.iptvSynced ? enterToUpdate : neverShown} {...form.field('iptvPassword')}>
        <PasswordInput {...form.register('iptvPassword')} autoComplete="new-password" required />
      </Field>
      {form.failure && <FormError message={form.failure} code={form.failureCode} />}
      {verdict && (
        <Note tone={verdict.tone} role={verdict.tone === 'ok' ? 'status' : 'alert'}>
          {verdict.message}
        </Note>
      )}
      <div className="flex flex-wrap gap-2.5 max-sm:*:flex-1">
        <Button
          {...form.button}
          pending={sync.isPending}
          aria-disabled={form.pending}
          onClick={form.pending ? (event) => event.preventDefault() : undefined}
        >
          {user.iptvSynced ? 'Update Account' : 'Sync Account'}
        </Button>
        <Button
          {...form.button}
          type="button"
          variant="line"
          pending={validate.isPending}
          aria-disabled={form.pending}
          onClick={form.pending ? undefined : validateOnly}
        >
          Validate Only
        </Button>
      </div>
    </form>
  )
}
