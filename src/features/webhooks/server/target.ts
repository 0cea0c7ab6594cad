import * as z from 'zod/mini'
import type { Config } from '#server/config.ts'
import { invalid } from '#server/errors.ts'
import { addressesOf, PrivateAddressError } from '#server/outbound/addresses.ts'
import { orAborted } from '#server/outbound/outbound.ts'
import { open, seal, secretKey } from '#server/secrets/keys.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'
import type { WebhookForm } from '../admin-contract.ts'
import type { WebhookType } from '../rules.ts'

/** Where a webhook sends notices: an address, or a Telegram bot and chat. Contains credentials. */
const target = z.object({ address: z.string(), token: z.string(), chatId: z.string() })
export type Target = z.output<typeof target>
type Form = Pick<WebhookForm, 'address' | 'token' | 'chatId'>

export const sealTarget = (config: Config, webhookId: string, value: Target): string =>
  seal(secretKey(config), JSON.stringify(value), sealedColumns.webhookTarget.context(webhookId))

/** Decrypts a stored target; undefined if it cannot be decrypted. */
export function openTarget(config: Config, { id, sealed }: { id: string; sealed: string }): Target | undefined {
  try {
    return target.parse(JSON.parse(open(secretKey(config), sealed, sealedColumns.webhookTarget.context(id))))
  } catch {
    return undefined
  }
}

/** Returns the target without credentials, for display. */
export function destinationOf(type: WebhookType, value: Target | undefined): string {
  if (!value) return 'unreadable address'
  return type === 'telegram' ? `chat ${value.chatId}` : new URL(value.address).host
}

/** Returns the target entered in a form. An empty address or token keeps the stored one. Throws 400 on a missing field. */
export function targetOf(type: WebhookType, form: Form, stored?: Target): Target {
  if (type !== 'telegram') {
    const address = form.address || stored?.address || invalid('address', 'Please enter the address')
    return { address, token: '', chatId: '' }
  }
  const token = form.token || stored?.token || invalid('token', 'Please enter the token of the bot')
  return { address: '', token, chatId: form.chatId || invalid('chatId', 'Please enter the id of the chat') }
}

const discordPath = /^\/api(\/v\d{1,2})?\/webhooks\/\d+\/[\w-]+$/
const discordHost = /^((ptb|canary)\.)?discord(app)?\.com$/
const lookupMs = 5_000

/**
 * Checks a new address. Must not be called inside a transaction, because it looks up the host. Throws 400 on `address` for an address without TLS or
 * with a private host, unless the configuration allows them, for an unknown host, and for a Discord webhook whose address is not one of Discord.
 */
export async function checkAddress(
  { webhooksAllowPrivate }: Config,
  type: WebhookType,
  address: string,
): Promise<void> {
  if (type === 'telegram' || address === '') return
  const { protocol, hostname, pathname } = new URL(address)
  if (protocol !== 'https:' && !webhooksAllowPrivate)
    invalid('address', 'Please use an address that begins with https://')
  if (type === 'discord' && !(discordPath.test(pathname) && (webhooksAllowPrivate || discordHost.test(hostname))))
    invalid('address', 'Please copy the webhook URL from Discord: https://discord.com/api/webhooks/…')
  try {
    await orAborted(addressesOf(hostname, { allowPrivate: webhooksAllowPrivate }), AbortSignal.timeout(lookupMs))
  } catch (error) {
    invalid(
      'address',
      error instanceof PrivateAddressError
        ? 'This address belongs to a private network, which is not allowed'
        : 'The host of this address was not found',
    )
  }
}
