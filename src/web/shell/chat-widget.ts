import type { Chat, ChatIdentity } from '#features/chat/contract.ts'
import { chatOrigin } from '#features/chat/rules.ts'

declare global {
  interface Window {
    $crisp?: unknown[]
    CRISP_WEBSITE_ID?: string
    chatwootSDK?: { run: (options: { websiteToken: string; baseUrl: string }) => void }
    $chatwoot?: { setUser: (id: string, about: object) => void; reset: () => void; toggle: (state: 'open') => void }
  }
}

export interface ChatWidget {
  open: () => void
  identify: (identity: ChatIdentity) => void
  /** Ends the conversation that the widget holds in this browser. */
  reset: () => void
}

const readyTimeoutMs = 20_000

let running: ChatWidget | undefined
/** Returns the widget that runs in this document; undefined until it has started. */
export const runningChat = (): ChatWidget | undefined => running

/** Loads the provider's widget. Rejects when it cannot be loaded: blocked, wrong URL or provider down. */
export async function startChat(chat: Chat): Promise<ChatWidget> {
  running ??= await (chat.provider === 'crisp' ? startCrisp(chat) : startChatwoot(chat))
  return running
}

async function startCrisp(chat: Chat): Promise<ChatWidget> {
  const push = (...command: unknown[]) => window.$crisp?.push(command)
  window.$crisp = []
  window.CRISP_WEBSITE_ID = chat.websiteId
  await loadScript(`${chatOrigin(chat)}/l.js`)
  return {
    open: () => push('do', 'chat:open'),
    identify: ({ name, email, hash }) => {
      push('set', 'user:email', [email, hash])
      push('set', 'user:nickname', [name])
    },
    reset: () => push('do', 'session:reset'),
  }
}

async function startChatwoot(chat: Chat): Promise<ChatWidget> {
  const ready = Promise.withResolvers<void>()
  const timer = setTimeout(() => ready.reject(new Error('The chat widget was not ready in time')), readyTimeoutMs)
  addEventListener('chatwoot:ready', () => ready.resolve(), { once: true })
  try {
    await loadScript(`${chat.url}/packs/js/sdk.js`)
    window.chatwootSDK?.run({ websiteToken: chat.websiteId, baseUrl: chat.url })
    await ready.promise
  } finally {
    clearTimeout(timer)
  }
  return {
    open: () => window.$chatwoot?.toggle('open'),
    identify: ({ id, name, email, hash }) =>
      window.$chatwoot?.setUser(id, { name, ...(email && { email }), identifier_hash: hash }),
    reset: () => window.$chatwoot?.reset(),
  }
}

function loadScript(url: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const script = document.createElement('script')
  script.src = url
  script.async = true
  script.onload = () => resolve()
  script.onerror = () => {
    script.remove()
    reject(new Error('The chat script could not be loaded'))
  }
  document.head.append(script)
  return promise
}
