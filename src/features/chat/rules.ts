import type { Chat } from './contract.ts'

export const noChat: Chat = { provider: 'off', websiteId: '', url: '' }

/** Returns the stored chat setting, or the one from the environment variables if the stored one is off. */
export const chosenChat = (stored: Chat, environment: Chat): Chat => (stored.provider === 'off' ? environment : stored)

const crispOrigin = 'https://client.crisp.chat'
export const chatOrigin = ({ provider, url }: Chat): string => (provider === 'crisp' && url === '' ? crispOrigin : url)

/** The name of the chat provider, shown to visitors before the chat is loaded. */
export const providerName = ({ provider }: Chat): string => (provider === 'crisp' ? 'Crisp' : 'Chatwoot')

export type PolicySources = Record<string, string[]>
/** The sources that the Content-Security-Policy must allow for the widget, by directive; null without a chat. Both providers insert style elements. */
export function chatSources(chat: Chat): PolicySources | null {
  const origin = chatOrigin(chat)
  const socket = origin.replace(/^http/, 'ws')
  const common = { 'script-src': [origin], 'style-src': [origin, "'unsafe-inline'"], 'font-src': [origin] }
  if (chat.provider === 'chatwoot')
    return {
      ...common,
      'img-src': [origin],
      'media-src': [origin],
      'connect-src': [origin, socket],
      'frame-src': [origin],
    }
  if (chat.provider === 'crisp')
    return {
      ...common,
      'img-src': [origin, 'https://image.crisp.chat', 'https://storage.crisp.chat'],
      'media-src': [origin, 'https://storage.crisp.chat'],
      'connect-src': [
        origin,
        'https://storage.crisp.chat',
        'wss://client.relay.crisp.chat',
        'wss://stream.relay.crisp.chat',
        'wss://client.relay.rescue.crisp.chat',
      ],
      'frame-src': ['https://assets.crisp.chat'],
      'worker-src': [origin, 'blob:'],
    }
  return null
}
