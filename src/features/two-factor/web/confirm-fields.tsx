import { useEffect } from 'react'
import { CopyButton } from '#web/ui/button/copy-button.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import type { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { Note } from '#web/ui/note.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'
import type { codeOnly } from '../contract.ts'

interface Props {
  form: ReturnType<typeof useSchemaForm<typeof codeOnly._zod.input, typeof codeOnly._zod.output>>
  secret: string
  /** The content of the QR code (`otpauth://…`). */
  address: string
}

export function ConfirmFields({ form, secret, address }: Props) {
  useEffect(() => document.getElementById('two-factor-code')?.focus(), [])
  return (
    <>
      <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
      <div className="mx-auto size-52 overflow-hidden rounded-lg">
        <QrCode text={address} label="QR code for your authenticator app" />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 text-sm text-fg-2">
          No camera? Enter this key:{' '}
          <span className="num font-semibold text-fg wrap-anywhere">{secret.match(/.{4}/g)?.join(' ')}</span>
        </p>
        <CopyButton text={secret} what="key" size="sm" />
      </div>
      <Field label="Code" hint="The six digits your authenticator app shows now." {...form.field('code')}>
        <Input
          {...form.register('code')}
          autoComplete="one-time-code"
          inputMode="numeric"
          spellCheck={false}
          required
        />
      </Field>
      {form.failure && form.problems.length === 0 && <Note tone="bad">{form.failure}</Note>}
    </>
  )
}
