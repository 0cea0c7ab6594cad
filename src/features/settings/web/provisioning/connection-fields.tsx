import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
import { Textarea } from '#web/ui/form/textarea.tsx'
import { type ConnectionForm, panelTypeOptions } from './panel-types.ts'

interface Props {
  form: ConnectionForm
  kind: string
  keySet: boolean
}

/** The address, the key and the certificate of a panel. */
export function ConnectionFields({ form, kind, keySet }: Props) {
  const panelType = panelTypeOptions.find((option) => option.kind === kind)!
  return (
    <>
      <Field label="Address of the panel" hint={panelType.address} {...form.field('address')}>
        <Input
          {...form.register('address')}
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://"
        />
      </Field>
      {panelType.user && (
        <Field label="Username of the API" {...form.field('username')}>
          <Input {...form.register('username')} autoComplete="off" spellCheck={false} />
        </Field>
      )}
      <Field
        label={keySet ? 'New key' : 'Key'}
        optional={keySet || kind === 'xc-api'}
        hint={
          keySet
            ? 'A key is set. It is stored encrypted and never shown. Leave this empty to keep it.'
            : 'Stored encrypted and never shown again.'
        }
        {...form.field('key')}
      >
        <PasswordInput {...form.register('key')} autoComplete="off" />
      </Field>
      <Field
        label="Certificate of your own CA"
        optional
        hint="Only if the panel’s certificate is not signed by a public CA. PEM format."
        {...form.field('ca')}
      >
        <Textarea {...form.register('ca')} rows={3} spellCheck={false} className="font-mono" />
      </Field>
    </>
  )
}
