import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
import type { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import type { WebhookForm } from '../admin-contract.ts'
import type { WebhookType } from '../rules.ts'

interface Props {
  type: WebhookType
  /** There is a stored address or token, which an empty field keeps. */
  isStored: boolean
  form: Pick<ReturnType<typeof useSchemaForm<WebhookForm, WebhookForm>>, 'field' | 'register'>
}

const keepHint = 'It is stored encrypted. Leave it empty to keep the stored one.'
const storedHint = 'It is stored encrypted and never shown again.'

/** Where a webhook sends: an address, or a bot and a chat of Telegram. */
export function TargetFields({ type, isStored, form }: Props) {
  const hint = isStored ? keepHint : storedHint
  if (type === 'telegram')
    return (
      <>
        <Field label="Bot token" hint={`@BotFather shows it when you create the bot. ${hint}`} {...form.field('token')}>
          <PasswordInput {...form.register('token')} autoComplete="off" required={!isStored} />
        </Field>
        <Field
          label="Chat id"
          hint="Of a person, a group or a channel that the bot may write to, such as -1001234567890 or @channel."
          {...form.field('chatId')}
        >
          <Input {...form.register('chatId')} autoComplete="off" spellCheck={false} required />
        </Field>
      </>
    )
  return (
    <Field
      label={type === 'discord' ? 'Webhook URL' : 'Address'}
      hint={
        type === 'discord'
          ? `In Discord: channel settings, Integrations, Webhooks. ${hint}`
          : `It must accept POST. ${hint}`
      }
      {...form.field('address')}
    >
      <Input
        {...form.register('address')}
        type="url"
        placeholder={type === 'discord' ? 'https://discord.com/api/webhooks/…' : 'https://example.com/webhooks/sauce'}
        autoComplete="off"
        spellCheck={false}
        required={!isStored}
      />
    </Field>
  )
}
