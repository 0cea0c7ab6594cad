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
  /** Ends the conversation that this browser remembers. */
  reset: () => void
}

const patienceMs = 20_000

let running: ChatWidget | undefined
/** The widget of this document, once it is there. It stays until the document goes. */
export const runningChat = (): ChatWidget | undefined => running

/** Fetches the provider's widget. Rejects when it does not come: a blocker, a wrong address, a provider that is away. */
export async function startChat(chat: Chat): Promise<ChatWidget> {
  running ??= await (chat.provider === 'crisp' ? startCrisp(chat) : startChatwoot(chat))
  return running
}

async function startCrisp(chat: Chat): Promise<ChatWidget> {
  const say = (...words: unknown[]) => window.$crisp?.push(words)
  window.$crisp = []
  window.CRISP_WEBSITE_ID = chat.websiteId
  await fetchScript(`${chatOrigin(chat)}/l.js`)
  return {
    open: () => say('do', 'chat:open'),
    identify: ({ name, email, hash }) => {
      say('set', 'user:email', [email, hash])
      say('set', 'user:nickname', [name])
    },
    reset: () => say('do', 'session:reset'),
  }
}

async function startChatwoot(chat: Chat): Promise<ChatWidget> {
  const ready = Promise.withResolvers<void>()
  const timer = setTimeout(() => ready.reject(new Error('The chat did not answer')), patienceMs)
  addEventListener('chatwoot:ready', () => ready.resolve(), { once: true })
  try {
    await fetchScript(`${chat.url}/packs/js/sdk.js`)
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

function fetchScript(address: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const script = document.createElement('script')
  script.src = address
  script.async = true
  script.onload = () => resolve()
  script.onerror = () => {
    script.remove()
    reject(new Error('The chat could not be fetched'))
  }
  document.head.append(script)
  return promise
}
