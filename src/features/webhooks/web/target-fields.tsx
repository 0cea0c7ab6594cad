import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
import type { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import type { WebhookForm } from '../admin-contract.ts'
import type { WebhookType } from '../rules.ts'

interface Props {
  type: WebhookType
  /** Whether an address or token is already stored. An empty field then keeps it. */
  isStored: boolean
  form: Pick<ReturnType<typeof useSchemaForm<WebhookForm, WebhookForm>>, 'field' | 'register'>
}

const keepHint = 'Stored encrypted. Leave this field empty to keep the stored value.'
const storedHint = 'Stored encrypted and never shown again.'

/** The fields for where a webhook sends notices: an address, or a Telegram bot and chat. */
export function TargetFields({ type, isStored, form }: Props) {
  const hint = isStored ? keepHint : storedHint
  if (type === 'telegram')
    return (
      <>
        <Field
          label="Bot token"
          hint={`@BotFather shows the token when you create the bot. ${hint}`}
          {...form.field('token')}
        >
          <PasswordInput {...form.register('token')} autoComplete="off" required={!isStored} />
        </Field>
        <Field
          label="Chat id"
          hint="The id of a person, a group or a channel that the bot may write to, such as -1001234567890 or @channel."
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
          : `The receiver must accept POST requests. ${hint}`
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
